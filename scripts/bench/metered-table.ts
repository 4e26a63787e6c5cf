import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Partitions, partitionsOf, type Written } from './partitions';

interface Capacity {
  writeUnits: number;
  readUnits: number;
}

/** A server in front of a DynamoDB engine, which asks it what each request consumes. */
export interface Meter {
  endpoint: string;
  read(): Capacity;
  /** Returns how many requests have read and written. */
  requests(): { reads: number; writes: number };
  partitions: Partitions;
  stop(): void;
}

const reads = /\.(?:GetItem|Query|Scan|BatchGetItem|TransactGetItems)$/;
const writes = /\.(?:PutItem|UpdateItem|DeleteItem|BatchWriteItem|TransactWriteItems)$/;

interface Consumed {
  CapacityUnits?: number;
}

export async function meter(engine: string): Promise<Meter> {
  const sum = { writeUnits: 0, readUnits: 0 };
  const requests = { reads: 0, writes: 0 };
  const partitions = partitionsOf();
  const server = createServer((asked, answer) => void forward(asked, answer));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  async function forward(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const target = String(asked.headers['x-amz-target']);
    const isRead = reads.test(target);
    const isMetered = isRead || writes.test(target);
    const body = await bodyOf(asked);
    const given = isMetered ? { ...JSON.parse(body), ReturnConsumedCapacity: 'TOTAL' } : {};
    const sent = isMetered ? JSON.stringify(given) : body;
    const headers = { ...asked.headers, 'content-length': String(Buffer.byteLength(sent)) };
    const call = request(engine, { method: 'POST', headers }, async (answered) => {
      const text = await bodyOf(answered);
      if (isMetered) {
        const { ConsumedCapacity = [] } = JSON.parse(text || '{}') as { ConsumedCapacity?: Consumed | Consumed[] };
        const units = [ConsumedCapacity].flat().reduce((all, { CapacityUnits = 0 }) => all + CapacityUnits, 0);
        sum[isRead ? 'readUnits' : 'writeUnits'] += units;
        requests[isRead ? 'reads' : 'writes'] += 1;
        if (!isRead) partitions.note(given as Written, units);
      }
      answer.writeHead(answered.statusCode ?? 500, answered.headers).end(text);
    });
    call.once('error', () => answer.destroy());
    call.end(sent);
  }

  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    read: () => ({ ...sum }),
    requests: () => ({ ...requests }),
    partitions,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function bodyOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
