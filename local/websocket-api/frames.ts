import type { Duplex } from 'node:stream';

/** Bytes of a frame's header: two, the extended length, the client's mask. RFC 6455, section 5.2. */
const lengthFieldBytes: Readonly<Record<number, number>> = { 126: 2, 127: 8 };
const maskBytes = 4;

/**
 * Calls `tooLarge` when a client begins a frame with more payload than `limit`. The WebSocket library only shows whole
 * messages, which may consist of several frames; API Gateway limits both.
 */
export function watchFrames(socket: Duplex, limit: number, tooLarge: () => void): void {
  let header = Buffer.alloc(0);
  /** The remaining bytes of the current payload. */
  let left = 0;
  const watch = (chunk: Buffer): void => {
    for (let rest = chunk; rest.length > 0; ) {
      if (left > 0) {
        const skipped = Math.min(left, rest.length);
        left -= skipped;
        rest = rest.subarray(skipped);
        continue;
      }
      header = Buffer.concat([header, rest.subarray(0, 1)]);
      rest = rest.subarray(1);
      const length = payloadLength(header);
      if (length === undefined) continue;
      header = Buffer.alloc(0);
      left = length;
      if (length <= limit) continue;
      socket.off('data', watch);
      tooLarge();
      return;
    }
  };
  // Must run before the WebSocket library, so that a message in such a frame is not handled.
  socket.prependListener('data', watch);
}

/** Returns the length once the header is complete, otherwise undefined. */
function payloadLength(header: Buffer): number | undefined {
  if (header.length < 2) return undefined;
  const short = header.readUInt8(1) & 0x7f;
  const lengthBytes = lengthFieldBytes[short] ?? 0;
  const masked = (header.readUInt8(1) & 0x80) !== 0;
  if (header.length < 2 + lengthBytes + (masked ? maskBytes : 0)) return undefined;
  if (lengthBytes === 2) return header.readUInt16BE(2);
  return lengthBytes === 8 ? Number(header.readBigUInt64BE(2)) : short;
}
