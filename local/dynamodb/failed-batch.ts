import { randomUUID } from 'node:crypto';
import type { StreamRecord } from './stream-reader';

export interface FailedBatch {
  records: readonly StreamRecord[];
  shardId: string;
  functionArn: string;
  /** How often the function failed with these records. */
  failures: number;
  tooOften: boolean;
}

/**
 * Returns Lambda's message about records that were not delivered: their position in the stream, not their content. AWS
 * documents the condition for too many attempts; the other one is our own.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html
 */
export function failedBatchMessage({ records, shardId, functionArn, failures, tooOften }: FailedBatch): object {
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
