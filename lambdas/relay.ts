import { SFNClient } from '@aws-sdk/client-sfn';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { shipped } from '../agents';
import { conversationIn } from '../core/store/rows';
import { tableOfDeployment } from '../runtime/environment';
import { log } from '../runtime/log';
import { driveRow } from './drive-row';

const table = tableOfDeployment();
const stepFunctions = new SFNClient({});

/**
 * Relay: reads the table's stream and acts on outboxes. The process that commits an outbox acts on it at once; Relay acts again,
 * in case that process died. Acting twice changes nothing.
 */
export async function handler(event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const batchItemFailures: DynamoDBBatchResponse['batchItemFailures'] = [];
  for (const record of event.Records) {
    try {
      await actOn(record);
    } catch (error) {
      const { name } = error as Error;
      // The rows of a deleted conversation have expired. A retry would fail too, and block the records after it.
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
  return driveRow(stepFunctions, table, shipped, conversationIn(pk!.S!), sk!.S!);
}
