import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listedAttributes } from '../../../core/conversations/rows/owned';
import type { Table } from '../../../core/conversations/store/table';
import { dynamodbClient } from '../../../local/dynamodb/client';
import { startDynoxide } from '../../../local/dynamodb/dynoxide';
import { documentClient } from './document-client';

export type StartedTable = Table & { endpoint: string; stop(): Promise<void> };

/** Starts a table before the tests of the file, or of the `describe`, and stops it after them. Only tests may use it. */
export function tableOfTests(): StartedTable {
  const table = {} as StartedTable;
  beforeAll(async () => {
    Object.assign(table, await startTable());
  });
  afterAll(() => table.stop?.());
  return table;
}

/** Starts a real DynamoDB engine with an empty table, for tests of what is stored. */
export async function startTable(): Promise<StartedTable> {
  const directory = mkdtempSync(join(tmpdir(), 'vigil-table-'));
  const engine = await startDynoxide(directory, () => undefined);
  const { endpoint } = engine;
  const raw = dynamodbClient(endpoint);
  await raw.call('CreateTable', {
    TableName: 'conversations',
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: ['pk', 'sk', 'owner', 'updatedAt', 'openFor', 'openSince'].map((name) => ({
      AttributeName: name,
      AttributeType: 'S',
    })),
    GlobalSecondaryIndexes: [
      index('byOwner', 'owner', 'updatedAt', listedAttributes),
      index('byDecider', 'openFor', 'openSince', ['kind', 'expiresAt']),
    ],
  });
  raw.stop();
  const client = documentClient(endpoint);
  return {
    client,
    name: 'conversations',
    endpoint,
    async stop() {
      client.destroy();
      await engine.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const index = (IndexName: string, key: string, sortKey: string, NonKeyAttributes: string[]) => ({
  IndexName,
  KeySchema: [
    { AttributeName: key, KeyType: 'HASH' },
    { AttributeName: sortKey, KeyType: 'RANGE' },
  ],
  Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes },
});
