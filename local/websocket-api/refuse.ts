import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** Rejects a handshake. */
export function refuse(socket: Duplex, status: number): void {
  const message = status >= 500 ? 'Internal server error' : (STATUS_CODES[status] ?? 'Forbidden');
  const body = JSON.stringify({ message });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'connection: close',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
