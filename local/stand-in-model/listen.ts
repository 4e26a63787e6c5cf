import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

const host = '127.0.0.1';
/** More than any context window holds; beyond it a request is a mistake. */
const maxBodyBytes = 64_000_000;

/** Serves on loopback; port 0 takes a free one. `stop` also cuts the streams that are still open. */
export async function listen(handle: RequestListener, port = 0): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer(handle);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${taken}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** @throws SyntaxError for a body that is not JSON, RangeError for one that is too long. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > maxBodyBytes) throw new RangeError(`the body is longer than ${maxBodyBytes} bytes`);
    parts.push(part);
  }
  return JSON.parse(Buffer.concat(parts).toString('utf8'));
}

/** The body that OpenAI's servers put around an error. */
export const errorBody = (message: string, type = 'invalid_request_error', code: string | null = null) => ({
  error: { message, type, param: null, code },
});
