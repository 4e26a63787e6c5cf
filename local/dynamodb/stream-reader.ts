import { renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { AwsError } from '../aws/aws-error';
import type { DynamodbClient } from './client';

/** The part of a stream record that the local cloud uses. */
export interface StreamRecord {
  eventID: string;
  eventName: string;
  eventSourceARN?: string;
  dynamodb: { SequenceNumber: string; ApproximateCreationDateTime?: number };
}

/**
 * Reads a table's stream from a position that survives a kill.
 *
 * The position of a shard is written after its records are delivered, so a record may be delivered twice but is never
 * lost. It needs no fsync: an older position, or none, only means more repeats.
 */
export interface StreamReader {
  /** Returns up to `limit` records of each shard that has new ones. */
  read(limit: number): Promise<{ shardId: string; records: StreamRecord[] }[]>;
  progress(shardId: string): Progress;
}

export interface Progress {
  /** Records up to this one were delivered. Saved before anything else happens. */
  delivered(sequenceNumber: string): Promise<void>;
  /** Records up to this one match no filter. Saved occasionally, because reading them again costs little. */
  skipped(sequenceNumber: string): Promise<void>;
}

const skippedSaveMs = 1_000;

export interface StreamReaderOptions {
  client: DynamodbClient;
  table: string;
  /** The file of the positions. */
  file: string;
  /** The starting point without a saved position. */
  start: 'TRIM_HORIZON' | 'LATEST';
}

interface Shard {
  ShardId: string;
}

const end = 'END';
/** Limits the requests to skip existing records of a stream. */
const skipLimit = 10_000;

export async function openStreamReader({ client, table, file, start }: StreamReaderOptions): Promise<StreamReader> {
  const described = (await client.call('DescribeTable', { TableName: table })).Table as { LatestStreamArn?: string };
  const StreamArn = described.LatestStreamArn;
  if (!StreamArn) throw new Error(`The table ${table} has no stream to read.`);
  const stored = await readPositions(file, StreamArn);
  const positions = new Map(Object.entries(stored ?? {}));
  const iterators = new Map<string, string>();
  /** Cleared when a shard ends or fails, because there may be others then. */
  let shards: string[] | undefined;
  let saved = performance.now();
  if (!stored && start === 'LATEST') await skipToEnd();

  return {
    async read(limit) {
      const batches: { shardId: string; records: StreamRecord[] }[] = [];
      for (const shardId of await openShards()) {
        const records = await readShard(shardId, limit);
        if (records.length) batches.push({ shardId, records });
      }
      return batches;
    },
    progress: (shardId) => ({
      async delivered(sequenceNumber) {
        positions.set(shardId, sequenceNumber);
        save();
      },
      async skipped(sequenceNumber) {
        positions.set(shardId, sequenceNumber);
        if (performance.now() - saved > skippedSaveMs) save();
      },
    }),
  };

  async function openShards(): Promise<string[]> {
    if (shards) return shards;
    const { StreamDescription } = await client.call('DescribeStream', { StreamArn });
    const { Shards } = StreamDescription as { Shards: Shard[] };
    shards = Shards.map(({ ShardId }) => ShardId).filter((shardId) => positions.get(shardId) !== end);
    return shards;
  }

  async function readShard(shardId: string, Limit: number): Promise<StreamRecord[]> {
    const ShardIterator = iterators.get(shardId) ?? (await iteratorOf(shardId));
    try {
      const answer = await client.call('GetRecords', { ShardIterator, Limit });
      await advance(shardId, answer.NextShardIterator as string | undefined, answer.Records as StreamRecord[]);
      return answer.Records as StreamRecord[];
    } catch (error) {
      iterators.delete(shardId);
      shards = undefined;
      // Records expire after 24 hours. Reading continues with the oldest that are left.
      if (error instanceof AwsError && error.name === 'TrimmedDataAccessException') positions.delete(shardId);
      else if (!(error instanceof AwsError && error.name === 'ExpiredIteratorException')) throw error;
      return [];
    }
  }

  async function advance(shardId: string, next: string | undefined, records: readonly StreamRecord[]): Promise<void> {
    if (next) {
      iterators.set(shardId, next);
      return;
    }
    iterators.delete(shardId);
    shards = undefined;
    // The last records are not delivered yet. The shard has ended once a read returns none.
    if (records.length) return;
    positions.set(shardId, end);
    save();
  }

  async function iteratorOf(ShardId: string): Promise<string> {
    const SequenceNumber = positions.get(ShardId);
    const from = SequenceNumber
      ? { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber }
      : { ShardIteratorType: 'TRIM_HORIZON' };
    return String((await client.call('GetShardIterator', { StreamArn, ShardId, ...from })).ShardIterator);
  }

  /** Resolves LATEST once and saves it. Resolving it again after a kill would skip the changes in between. */
  async function skipToEnd(): Promise<void> {
    for (const shardId of await openShards()) {
      for (let request = 0; request < skipLimit; request++) {
        const last = (await readShard(shardId, 1_000)).at(-1);
        if (!last) break;
        positions.set(shardId, last.dynamodb.SequenceNumber);
      }
    }
    save();
  }

  /** Synchronous like the journal's writes, which is many times faster than a write through Node's threads. */
  function save(): void {
    saved = performance.now();
    writeFileSync(`${file}.new`, JSON.stringify({ stream: StreamArn, positions: Object.fromEntries(positions) }));
    renameSync(`${file}.new`, file);
  }
}

/** Returns undefined for another stream: positions of a recreated table are not valid. */
async function readPositions(file: string, stream: string): Promise<Record<string, string> | undefined> {
  try {
    const stored = JSON.parse(await readFile(file, 'utf8')) as { stream: string; positions: Record<string, string> };
    return stored.stream === stream ? stored.positions : undefined;
  } catch {
    return undefined;
  }
}
