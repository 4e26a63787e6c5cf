import { SFNClient } from '@aws-sdk/client-sfn';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { shipped } from '../agents';
import { key, StoredCallback, StoredTimer } from '../core/store/rows';
import { readMeta, readRow } from '../core/store/table';
import { tableOfDeployment } from './environment';
import { driveCallback, driveRun, driveTimer } from './executions';
import { log } from './log';

const table = tableOfDeployment();
const stepFunctions = new SFNClient({});

/**
 * The transactional outbox's relay: whoever commits a row with an `outbox` acts on it at once; the table's stream comes
 * here and acts again, in case that process died in between. Acting twice changes nothing.
 */
export async function handler(event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const batchItemFailures: DynamoDBBatchResponse['batchItemFailures'] = [];
  for (const record of event.Records) {
    try {
      await actOn(record);
    } catch (error) {
      const { name } = error as Error;
      // Deleted conversations expire. Tried again it would be no more there, and all that comes after it would wait.
      if (name === 'NotFound') {
        log.warn('relay', { error: name });
        continue;
      }
      log.error('relay', { error: name });
      batchItemFailures.push({ itemIdentifier: record.dynamodb!.SequenceNumber! });
    }
  }
  return { batchItemFailures };
}

/** The row is read anew: the stream tells that something is to be done, the table what is still true. */
async function actOn(record: DynamoDBRecord): Promise<void> {
  const { pk, sk: sortKey } = record.dynamodb!.Keys!;
  const conversationId = pk!.S!.slice(key.conversation('').length);
  const sk = sortKey!.S!;
  if (sk === key.meta) {
    const meta = await readMeta(table, conversationId);
    if (meta) await driveRun(stepFunctions, table, shipped, meta);
    return;
  }
  const row = await readRow(table, conversationId, sk);
  if (!row) return;
  if (sk.startsWith(key.timer(''))) return driveTimer(stepFunctions, StoredTimer.parse(row));
  await driveCallback(stepFunctions, table, shipped, conversationId, StoredCallback.parse(row));
}
