import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { namesThisMachine } from 'vigil-stepfunctions/shared';

/**
 * A server on one loopback port, which other machines cannot reach. A request that names another host is refused before any handler: a web page
 * has given its own name this machine's address (DNS rebinding).
 */
export interface HttpServer {
  url: string;
  port: number;
  /** Sets the handler. Until then, requests get a 503 that asks the client to retry. */
  handle(handler: Handler): void;
  /** Sets the handler of upgrade requests. Without it, they are answered like other requests. */
  handleUpgrade(handler: UpgradeHandler): void;
  stop(): Promise<void>;
}

type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

/** The body of a request exceeds the limit. */
export class BodyTooLarge extends Error {
  override name = 'BodyTooLarge';
}

/**
 * Binds the port before there is anything to serve, so that a port in use is reported before any work starts.
 * `variable` is the setting that changes the port.
 */
export async function listen(port: number, variable: string): Promise<HttpServer> {
  let handler: Handler = (_request, response) => {
    sendJson(response, 503, { message: 'The local cloud is starting.' }, { 'retry-after': '1' });
  };
  const server = createServer((request, response) => {
    if (!namesThisMachine(request))
      return sendJson(response, 403, { message: 'This server serves localhost and 127.0.0.1 only, by no other name.' });
    const failed = (error: unknown) => fail(response, error);
    try {
      Promise.resolve(handler(request, response)).catch(failed);
    } catch (error) {
      failed(error);
    }
  });
  // Lambda clients keep connections longer than Node's default of five seconds, and fail if the server closes them.
  server.keepAliveTimeout = 60_000;
  // `closeAllConnections` does not close upgraded connections.
  const upgraded = new Set<Duplex>();
  await bind(server, port, variable);
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    handle: (next) => {
      handler = next;
    },
    handleUpgrade: (next) => {
      server.on('upgrade', (request, socket, head) => {
        upgraded.add(socket);
        socket.once('close', () => upgraded.delete(socket));
        if (!namesThisMachine(request)) return void socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
        next(request, socket, head);
      });
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        for (const socket of upgraded) socket.destroy();
      }),
  };
}

/**
 * Checks the port before anything else is started. `variable` is the setting that changes it. @throws Error in one line
 * if the port is in use.
 */
export async function assertFreePort(port: number, variable: string): Promise<void> {
  const server = createServer();
  await bind(server, port, variable);
  await new Promise((resolve) => server.close(resolve));
}

function bind(server: Server, port: number, variable: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = `Port ${port} is taken: stop what uses it, or set ${variable} to another.`;
      reject(error.code === 'EADDRINUSE' ? new Error(taken) : error);
    });
    server.listen(port, '127.0.0.1', () => resolve());
  });
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy();
  else if (error instanceof BodyTooLarge) sendJson(response, 413, { message: error.message });
  else sendJson(response, 500, { message: error instanceof Error ? error.message : 'Internal failure' });
}

/** Reads a whole body of at most `limit` bytes. @throws BodyTooLarge. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    if (length > limit) throw new BodyTooLarge(`The request is larger than ${limit} bytes.`);
    chunks.push(chunk as Buffer);
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  send(response, status, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
}

export function send(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: Record<string, string>,
): void {
  response.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body)) });
  response.end(body);
}
