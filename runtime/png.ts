import { crc32, deflateSync } from 'node:zlib';

/**
 * Returns a PNG, see https://www.w3.org/TR/png-3/.
 *
 * @param header the 13 bytes of IHDR.
 * @param lines the lines of the picture, each with its filter's byte before it.
 */
export const pngOf = (header: Buffer, lines: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ]);

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
