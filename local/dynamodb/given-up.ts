import { randomUUID } from 'node:crypto';
import type { StreamRecord } from './stream-reader';

export interface GivenUp {
  records: readonly StreamRecord[];
  shardId: string;
  functionArn: string;
  /** How often the function was tried with them. */
  failures: number;
  tooOften: boolean;
}

/**
 * What Lambda says of records that it gives up: where they are in the stream, not what they are. AWS documents the word for
 * too many attempts; the other one is ours.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html
 */
export function givenUp({ records, shardId, functionArn, failures, tooOften }: GivenUp): object {
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
