import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../core/store/table';
import { startDynoxide } from '../../local/dynamodb/dynoxide';

/** A real DynamoDB engine with an empty table, for tests of what is stored. */
export async function startTable(): Promise<Table & { stop(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'vigil-table-'));
  const engine = await startDynoxide(directory, () => undefined);
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const raw = new DynamoDBClient({ endpoint: engine.endpoint, region: 'us-east-1', credentials });
  await raw.send(
    new CreateTableCommand({
      TableName: 'conversations',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: ['pk', 'sk', 'owner', 'updatedAt'].map((name) => ({
        AttributeName: name,
        AttributeType: 'S',
      })),
      GlobalSecondaryIndexes: [
        {
          IndexName: 'byOwner',
          KeySchema: [
            { AttributeName: 'owner', KeyType: 'HASH' },
            { AttributeName: 'updatedAt', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    }),
  );
  const client = DynamoDBDocumentClient.from(raw, { marshallOptions: { removeUndefinedValues: true } });
  return {
    client,
    name: 'conversations',
    async stop() {
      raw.destroy();
      await engine.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
