import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { matchesEvent, type Pattern } from '../events/event-pattern';
import type { Lambda } from '../lambda/lambda';
import type { Destination } from '../undelivered';
import type { Progress, StreamRecord } from './stream-reader';

interface FailedBatch {
  records: readonly StreamRecord[];
  shardId: string;
  functionArn: string;
  /** The number of times that the function failed with these records. */
  failures: number;
  tooOften: boolean;
}

/**
 * Returns Lambda's message about records that were not delivered: their position in the stream, not their content. AWS
 * documents the condition for too many attempts; the other one is our own.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html
 */
function failedBatchMessage({ records, shardId, functionArn, failures, tooOften }: FailedBatch): object {
  const [first, last] = [records[0], records.at(-1)];
  return {
    requestContext: {
      requestId: randomUUID(),
      functionArn,
      condition: tooOften ? 'RetryAttemptsExhausted' : 'MaximumRecordAgeExceeded',
      approximateInvokeCount: failures,
    },
    version: '1.0',
    timestamp: new Date().toISOString(),
    DDBStreamBatchInfo: {
      shardId,
      startSequenceNumber: first?.dynamodb.SequenceNumber,
      endSequenceNumber: last?.dynamodb.SequenceNumber,
      approximateArrivalOfFirstRecord: arrivalOf(first),
      approximateArrivalOfLastRecord: arrivalOf(last),
      batchSize: records.length,
      streamArn: first?.eventSourceARN,
    },
  };
}

function arrivalOf(record: StreamRecord | undefined): string | undefined {
  const seconds = record?.dynamodb.ApproximateCreationDateTime;
  return seconds === undefined ? undefined : new Date(seconds * 1_000).toISOString();
}

/**
 * Delivers batches to a function in order until they succeed, with the retries, halving and partial failures that the
 * event source mapping configures.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
 */
export interface DeliveryOptions {
  lambda: Lambda;
  functionArn: string;
  filters: readonly Pattern[];
  bisect: boolean;
  reportsFailures: boolean;
  /** -1: no limit. */
  maxRetries: number;
  maxAgeSeconds: number;
  shardId: string;
  /** Receives a message about records that are not delivered. */
  onFailure?: Destination;
  log: (line: string) => void;
  signal: AbortSignal;
}

const firstDelayMs = 100;
const maxDelayMs = 10_000;

/**
 * Resolves when every record is delivered or given up. `progress` is called after each step, so that little is repeated
 * after a kill.
 */
export async function deliver(
  records: readonly StreamRecord[],
  options: DeliveryOptions,
  progress: Progress,
): Promise<void> {
  const wanted = records.filter(
    (record) => options.filters.length === 0 || options.filters.some((one) => matchesEvent(one, record)),
  );
  await deliverPart(wanted, options, progress);
  const last = records.at(-1);
  if (last && last !== wanted.at(-1)) await progress.skipped(last.dynamodb.SequenceNumber);
}

async function deliverPart(
  records: readonly StreamRecord[],
  options: DeliveryOptions,
  progress: Progress,
): Promise<void> {
  let left = records;
  let delay = firstDelayMs;
  for (let failures = 0; left.length; ) {
    const done = await attempt(left, options);
    const last = left[done - 1];
    if (last) await progress.delivered(last.dynamodb.SequenceNumber);
    left = left.slice(done);
    if (!left.length) return;
    if (options.bisect && left.length > 1) {
      const middle = Math.ceil(left.length / 2);
      await deliverPart(left.slice(0, middle), options, progress);
      return deliverPart(left.slice(middle), options, progress);
    }
    failures = done ? 1 : failures + 1;
    left = await giveUp(left, failures, options, progress);
    if (!left.length) return;
    await sleep(delay, undefined, { signal: options.signal });
    delay = Math.min(delay * 2, maxDelayMs);
  }
}

/** Returns how many records, counted from the first, the function has handled. */
async function attempt(
  records: readonly StreamRecord[],
  { lambda, functionArn, reportsFailures, signal }: DeliveryOptions,
): Promise<number> {
  try {
    const { payload, functionError } = await lambda.invoke(functionArn, JSON.stringify({ Records: records }), signal);
    if (functionError) return 0;
    return reportsFailures ? doneOf(payload, records) : records.length;
  } catch (error) {
    signal.throwIfAborted();
    void error;
    return 0;
  }
}

/** A failure that names no record of the batch means the whole batch. */
function doneOf(payload: string, records: readonly StreamRecord[]): number {
  const answer = JSON.parse(payload) as { batchItemFailures?: { itemIdentifier?: string }[] | null } | null;
  const failures = answer?.batchItemFailures ?? [];
  const positions = failures.map(({ itemIdentifier }) =>
    records.findIndex(({ dynamodb }) => dynamodb.SequenceNumber === itemIdentifier),
  );
  return failures.length ? Math.max(0, Math.min(...positions)) : records.length;
}

/** Gives up records that were retried too often or are too old, with a line in the log. */
async function giveUp(
  records: readonly StreamRecord[],
  failures: number,
  { maxRetries, maxAgeSeconds, shardId, onFailure, log, functionArn }: DeliveryOptions,
  progress: Progress,
): Promise<readonly StreamRecord[]> {
  const tooOften = maxRetries >= 0 && failures > maxRetries;
  // The engine stamps its records with the machine's time.
  const oldest = maxAgeSeconds > 0 ? Date.now() / 1_000 - maxAgeSeconds : Number.NEGATIVE_INFINITY;
  const kept = tooOften
    ? []
    : records.filter(({ dynamodb }) => (dynamodb.ApproximateCreationDateTime ?? Number.POSITIVE_INFINITY) > oldest);
  const dropped = records.filter((record) => !kept.includes(record));
  const last = dropped.at(-1);
  if (!last) return records;
  log(`Gave up on ${dropped.length} stream records: ${functionArn} failed for all of them.`);
  // Sent before the position is saved: a kill in between sends it twice.
  await onFailure?.(failedBatchMessage({ records: dropped, shardId, functionArn, failures, tooOften }));
  await progress.delivered(last.dynamodb.SequenceNumber);
  return kept;
}
