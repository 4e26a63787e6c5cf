import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isFromPage, isFromProgram } from './from-program';
import { jsonText } from './language/json';
import type { StepFunctions } from './start';

/** The largest request: a definition may be 1 MB, an input 256 KiB, both escaped. */
const largestBody = 8 * 1024 * 1024;

export interface HttpEndpoint {
  /** `http://127.0.0.1:8083` */
  url: string;
  close(): Promise<void>;
}

/**
 * Serves the wire protocol (AWS JSON 1.0) on a port; port 0 takes a free one. Rejects where the port is taken.
 *
 * On loopback, the default, it serves programs of this machine. On another address, for example `0.0.0.0`, it serves every
 * program that reaches the port, and asks none for credentials. It never serves a web page.
 *
 * @example
 * ```ts
 * import { ListStateMachinesCommand, SFNClient } from '@aws-sdk/client-sfn';
 * import { serveHttp, startStepFunctions } from 'vigil-stepfunctions';
 *
 * const engine = await startStepFunctions({ services: { invokeLambda: async () => ({ payload: '{}' }) } });
 * const { url, close } = await serveHttp(engine, 0);
 * const credentials = { accessKeyId: 'any', secretAccessKey: 'any' };
 * const client = new SFNClient({ endpoint: url, region: 'us-east-1', credentials });
 * (await client.send(new ListStateMachinesCommand({}))).stateMachines; // → []
 * client.destroy();
 * await close();
 * await engine.stop();
 * ```
 */
export function serveHttp(engine: StepFunctions, port: number, host = '127.0.0.1'): Promise<HttpEndpoint> {
  const open = !isLoopback(host);
  const server = createServer((request, response) => {
    answer(engine, open, request, response).catch((error: Error) =>
      respond(response, 500, { __type: 'InternalFailure', message: error.message }),
    );
  });
  // Activity workers hold their requests open for a minute.
  server.requestTimeout = 0;
  server.keepAliveTimeout = 60_000;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      resolve({
        url: `http://${nameOf(host)}:${(server.address() as AddressInfo).port}`,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}

export const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d+){3}|::1)$/i.test(host);

/** Returns the host as a client on this machine writes it: an address that stands for all of them is none to connect to. */
function nameOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** `X-Amz-Target: AWSStepFunctions.StartExecution` */
const targetPrefix = 'AWSStepFunctions.';

async function answer(
  engine: StepFunctions,
  open: boolean,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { host, origin, 'x-amz-target': target } = request.headers;
  // This endpoint asks for no signature, as Step Functions Local does not: a web page that got here could do anything.
  if (open ? isFromPage(request) : !isFromProgram(request)) {
    const served = open ? 'programs only' : 'programs of this machine only, as 127.0.0.1 or localhost';
    const message = `This endpoint serves ${served}: not ${origin ?? host}`;
    return respond(response, 403, { __type: 'AccessDeniedException', message });
  }
  if (request.method !== 'POST' || typeof target !== 'string' || !target.startsWith(targetPrefix)) {
    return respond(response, 400, {
      __type: 'UnknownOperationException',
      message: 'Expected a POST with X-Amz-Target: AWSStepFunctions.<Action>',
    });
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largestBody)
      return respond(response, 413, { __type: 'RequestEntityTooLargeException', message: 'The request is too large' });
    chunks.push(chunk);
  }
  let body: unknown;
  try {
    body = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return respond(response, 400, { __type: 'SerializationException', message: 'The request is not JSON' });
  }
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const { status, body: result } = await engine.call(target.slice(targetPrefix.length), body, gone.signal);
  respond(response, status, result);
}

function respond(response: ServerResponse, status: number, body: unknown): void {
  const text = jsonText(body);
  response.writeHead(status, {
    'content-type': 'application/x-amz-json-1.0',
    'content-length': Buffer.byteLength(text),
    'x-amzn-requestid': randomUUID(),
  });
  response.end(text);
}
