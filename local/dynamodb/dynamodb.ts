import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { AwsError } from '../aws/aws-error';
import type { Resource } from '../template/template';
import { type DynamodbClient, dynamodbClient } from './client';
import { startDynoxide } from './dynoxide';

/** The engine behind the tables. */
export interface Dynamodb {
  endpoint: string;
  /** The key of this cloud's database in the engine. */
  accessKey: string;
  client: DynamodbClient;
  /** Creates missing tables and updates what can be updated. Resolves with the names of the new tables. */
  deploy(tables: readonly Resource[]): Promise<Set<string>>;
  stop(): Promise<void>;
}

export interface DynamodbOptions {
  stateDirectory: string;
  /** DYNAMODB_ENDPOINT: an external engine that replaces the binary. */
  endpoint?: string;
  log: (line: string) => void;
}

export async function startDynamodb({ stateDirectory, endpoint, log }: DynamodbOptions): Promise<Dynamodb> {
  const engine = endpoint ? { endpoint, stop: async () => undefined } : await startDynoxide(stateDirectory, log);
  const accessKey = keyOf(stateDirectory);
  const client = dynamodbClient(engine.endpoint, accessKey);
  return {
    endpoint: engine.endpoint,
    accessKey,
    client,
    async deploy(tables) {
      const created = await Promise.all(tables.map((table) => deployTable(client, table, engine.endpoint)));
      return new Set(tables.filter((_table, index) => created[index]).map((table) => table.ref));
    },
    async stop() {
      client.stop();
      await engine.stop();
    },
  };
}

/** Other clouds have other state directories. DynamoDB Local accepts letters and digits only. */
const keyOf = (stateDirectory: string): string =>
  `vigil${createHash('sha256').update(resolve(stateDirectory)).digest('hex').slice(0, 15)}`;

interface KeyPart {
  AttributeName: string;
  KeyType: string;
}

interface Index {
  IndexName: string;
  KeySchema: KeyPart[];
  Projection?: { ProjectionType?: string; NonKeyAttributes?: string[] };
}

interface TableDescription {
  KeySchema: KeyPart[];
  GlobalSecondaryIndexes?: Index[];
  StreamSpecification?: { StreamEnabled?: boolean; StreamViewType?: string };
}

interface TableProperties extends TableDescription {
  AttributeDefinitions: object[];
  LocalSecondaryIndexes?: object[];
  TimeToLiveSpecification?: { AttributeName: string; Enabled: boolean };
}

async function deployTable(client: DynamodbClient, { ref, properties }: Resource, endpoint: string): Promise<boolean> {
  const wanted = properties as unknown as TableProperties;
  const existing = await describe(client, ref, endpoint);
  if (existing) await update(client, ref, wanted, existing);
  else await create(client, ref, wanted);
  const timeToLive = wanted.TimeToLiveSpecification;
  if (timeToLive?.Enabled) await enableTimeToLive(client, ref, timeToLive);
  return !existing;
}

async function describe(
  client: DynamodbClient,
  TableName: string,
  endpoint: string,
): Promise<TableDescription | undefined> {
  try {
    return (await client.call('DescribeTable', { TableName })).Table as TableDescription;
  } catch (error) {
    if (error instanceof AwsError && error.name === 'ResourceNotFoundException') return undefined;
    if (error instanceof AwsError) throw error;
    throw new Error(`DynamoDB does not respond at ${endpoint}: check DYNAMODB_ENDPOINT.`, { cause: error });
  }
}

async function create(client: DynamodbClient, TableName: string, wanted: TableProperties): Promise<void> {
  const stream = wanted.StreamSpecification;
  await client.call('CreateTable', {
    TableName,
    KeySchema: wanted.KeySchema,
    AttributeDefinitions: wanted.AttributeDefinitions,
    GlobalSecondaryIndexes: wanted.GlobalSecondaryIndexes?.map(withoutThroughput),
    LocalSecondaryIndexes: wanted.LocalSecondaryIndexes,
    // Capacity only affects billing, so every table here is on demand.
    BillingMode: 'PAY_PER_REQUEST',
    StreamSpecification: stream && { StreamEnabled: true, StreamViewType: stream.StreamViewType },
  });
}

/**
 * Adds new indexes and recreates those with other attributes. A key cannot change: AWS would replace the table and lose
 * its rows.
 */
async function update(
  client: DynamodbClient,
  TableName: string,
  wanted: TableProperties,
  existing: TableDescription,
): Promise<void> {
  if (!isDeepStrictEqual(keys(wanted.KeySchema), keys(existing.KeySchema))) {
    throw new Error(
      `The key of the table ${TableName} differs from the template: start with --reset, which empties the state.`,
    );
  }
  const known = new Map((existing.GlobalSecondaryIndexes ?? []).map((index) => [index.IndexName, index]));
  for (const index of wanted.GlobalSecondaryIndexes ?? []) {
    const same = known.get(index.IndexName);
    if (same && isDeepStrictEqual(shape(same), shape(index))) continue;
    if (same) await changeIndex(client, TableName, wanted, { Delete: { IndexName: index.IndexName } });
    await changeIndex(client, TableName, wanted, { Create: withoutThroughput(index) });
  }
  if (wanted.StreamSpecification && !existing.StreamSpecification?.StreamEnabled) {
    const { StreamViewType } = wanted.StreamSpecification;
    await client.call('UpdateTable', { TableName, StreamSpecification: { StreamEnabled: true, StreamViewType } });
  }
}

async function changeIndex(
  client: DynamodbClient,
  TableName: string,
  wanted: TableProperties,
  change: object,
): Promise<void> {
  const { AttributeDefinitions } = wanted;
  await client.call('UpdateTable', { TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates: [change] });
}

async function enableTimeToLive(client: DynamodbClient, TableName: string, wanted: object): Promise<void> {
  const { TimeToLiveDescription } = await client.call('DescribeTimeToLive', { TableName });
  const status = (TimeToLiveDescription as { TimeToLiveStatus?: string } | undefined)?.TimeToLiveStatus;
  if (status === 'ENABLED' || status === 'ENABLING') return;
  await client.call('UpdateTimeToLive', { TableName, TimeToLiveSpecification: wanted });
}

function keys(schema: readonly KeyPart[]): string[] {
  return schema.map(({ AttributeName, KeyType }) => `${KeyType} ${AttributeName}`).sort();
}

function shape({ KeySchema, Projection }: Index): string[] {
  return [...keys(KeySchema), Projection?.ProjectionType ?? 'ALL', ...(Projection?.NonKeyAttributes ?? []).toSorted()];
}

function withoutThroughput(index: object): object {
  return Object.fromEntries(Object.entries(index).filter(([key]) => !/Throughput|^ContributorInsights/.test(key)));
}
