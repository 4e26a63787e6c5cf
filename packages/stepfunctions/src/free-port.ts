import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';

/**
 * Returns a free port of 127.0.0.1. It is free now: another program may take it before you do.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 * import { freePort } from 'vigil-stepfunctions/shared';
 *
 * // For a program that takes its port as an option. A server of your own takes port 0 instead.
 * const port = await freePort();
 * const server = createServer().listen(port, '127.0.0.1');
 * await new Promise((resolve) => server.once('listening', resolve));
 * server.close();
 * ```
 */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
