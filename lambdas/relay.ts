import { SFNClient } from '@aws-sdk/client-sfn';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { shipped } from '../agents';
import { key } from '../core/store/rows';
import { tableOfDeployment } from '../runtime/environment';
import { log } from '../runtime/log';
import { driveRow } from './drive-row';

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

function actOn(record: DynamoDBRecord): Promise<void> {
  const { pk, sk } = record.dynamodb!.Keys!;
  return driveRow(stepFunctions, table, shipped, pk!.S!.slice(key.conversation('').length), sk!.S!);
}
