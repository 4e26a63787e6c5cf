import { Agent, createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { engineHeaders } from '../../local/dynamodb/client';

/** How many requests of the same bytes suffer a fate: the write itself, and those that try it again. */
const suffering = {
  /** The SDK is told of an error 500, tries again by itself, and hides it. */
  'error-500': 1,
  /** The connection closes without an answer, and the SDK tries again. */
  lost: 1,
  /** As many as the SDK's attempts are: core sees the error, and tries again. */
  'errors-500': 4,
  /** Until core gives up: the function fails after what it has done. */
  'only-500': Number.POSITIVE_INFINITY,
};

/** What becomes of the answer to a write that the table has done. */
export type TableFate = keyof typeof suffering;
export const tableFates = Object.keys(suffering) as TableFate[];

/** A write that the table has done: which one of those of the same shape, as `TransactWriteItems META+M`. */
export interface TableWrite {
  write: string;
  nth: number;
}
export type TablePoint = TableWrite & { kind: TableFate };

/** What stands between the cloud and its DynamoDB engine. */
export interface FaultyTable {
  endpoint: string;
  /** What was written so far, in order. */
  writes(): TableWrite[];
  /** Whether the write came that was to suffer. */
  hasStruck(): boolean;
  /** Resolves when that write is not tried again any more. */
  calm(): Promise<void>;
  stop(): Promise<void>;
}

const writing = /^(?:PutItem|UpdateItem|DeleteItem|TransactWriteItems|BatchWriteItem)$/;
/** Longer than core pauses between two tries. */
const calmMs = 1_500;
const internal = {
  __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError',
  message: 'Internal server error',
};

/** Passes everything on to the engine, and answers the write at `point` otherwise than the engine did. */
export async function startFaultyTable(engine: string, point?: TablePoint): Promise<FaultyTable> {
  const agent = new Agent({ keepAlive: true });
  const writes: TableWrite[] = [];
  let struck: { request: string; left: number; last: number } | undefined;

  /** Whether this request suffers. What the table refused at first is not done, and a write that is not done cannot be lost. */
  function suffers(operation: string, body: Buffer, status: number): boolean {
    if (!writing.test(operation)) return false;
    const request = `${operation} ${body}`;
    if (struck?.request === request) struck.last = Date.now();
    else if (struck || !isStruckBy(operation, body, status)) return false;
    else struck = { request, left: suffering[point!.kind], last: Date.now() };
    struck.left -= 1;
    return struck.left >= 0;
  }

  function isStruckBy(operation: string, body: Buffer, status: number): boolean {
    if (status !== 200) return false;
    const write = shapeOf(operation, body);
    const nth = writes.filter((other) => other.write === write).length + 1;
    writes.push({ write, nth });
    return write === point?.write && nth === point.nth;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray());
    const operation = String(request.headers['x-amz-target']).split('.').at(-1)!;
    const answer = await pass(agent, engine, request, body);
    const fails = suffers(operation, body, answer.status);
    if (fails && point?.kind === 'lost') loseAnswer(response);
    else if (fails) send(response, 500, JSON.stringify(internal));
    else send(response, answer.status, answer.body);
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  // A connection that closes by itself would be one more fault.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    writes: () => [...writes],
    hasStruck: () => struck !== undefined,
    async calm() {
      while (struck && struck.left > 0 && Date.now() - struck.last < calmMs) await sleep(20);
    },
    stop: () =>
      new Promise((resolve) => {
        agent.destroy();
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** By the kinds of the rows: ids differ from run to run. */
function shapeOf(operation: string, body: Buffer): string {
  const kinds = [...body.toString().matchAll(/"sk":\{"S":"(\w+)/g)].map(([, kind]) => kind);
  const rows = [...new Set(kinds)].map((kind) => {
    const count = kinds.filter((other) => other === kind).length;
    return count > 1 ? `${kind}*${count}` : kind;
  });
  return `${operation} ${rows.join('+')}`;
}

/** It breaks off in the middle, which the cloud passes on as no answer at all. Where there is none, the cloud answers 500 itself. */
function loseAnswer(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': '2' });
  response.write('{', () => response.destroy());
}

function send(response: ServerResponse, status: number, body: string | Buffer): void {
  response.writeHead(status, {
    'content-type': 'application/x-amz-json-1.0',
    'content-length': String(Buffer.byteLength(body)),
  });
  response.end(body);
}

function pass(
  agent: Agent,
  engine: string,
  { headers }: IncomingMessage,
  body: Buffer,
): Promise<{ status: number; body: Buffer }> {
  const passed = {
    ...engineHeaders(),
    'content-length': String(body.length),
    'content-type': headers['content-type'] ?? '',
    'x-amz-target': headers['x-amz-target'],
  };
  return new Promise((resolve, reject) => {
    const call = httpRequest(engine, { agent, headers: passed, method: 'POST' }, (answer) => {
      answer.toArray().then((parts) => resolve({ status: answer.statusCode!, body: Buffer.concat(parts) }), reject);
    });
    call.once('error', reject);
    call.end(body);
  });
}
