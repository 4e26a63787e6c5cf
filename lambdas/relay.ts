import { LambdaClient } from '@aws-sdk/client-lambda';
import { SFNClient } from '@aws-sdk/client-sfn';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { shipped } from '../agents';
import { conversationIn } from '../core/conversations/rows/keys';
import { tableOfDeployment } from '../runtime/environment';
import { log, logged, withFields } from '../runtime/log';
import { count } from '../runtime/metrics';
import { driveRow } from './drive-row';
import { cancelByFunctions } from './executions';

const table = tableOfDeployment();
const stepFunctions = new SFNClient({});
const cancelElsewhere = cancelByFunctions(new LambdaClient({}));

/**
 * Relay: reads the table's stream and acts on outboxes. The process that commits an outbox acts on it at once; Relay acts again,
 * in case that process died. Acting twice changes nothing.
 */
export const handler = logged(async (event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
  const waiting: DynamoDBRecord[] = [];
  for (const record of event.Records) {
    const { pk, sk } = record.dynamodb!.Keys!;
    const conversationId = conversationIn(pk!.S!);
    await withFields({ conversationId }, async () => {
      try {
        await driveRow(stepFunctions, table, shipped, conversationId, sk!.S!, cancelElsewhere);
      } catch (error) {
        const { name } = error as Error;
        // The rows of a deleted conversation have expired, or a row cannot be read. A retry would fail too, and block the records after it.
        // What a later version has written, that version does, or its Reconcile.
        if (name === 'NotFound' || name === 'UnreadableRow' || name === 'NewerRow')
          return log.warn('relay', { error: name });
        log.error('relay', { error: name });
        waiting.push(record);
      }
    });
  }
  if (waiting.length > 0) reportWaiting(waiting, new Date());
  return { batchItemFailures: waiting.map(({ dynamodb }) => ({ itemIdentifier: dynamodb!.SequenceNumber! })) };
});

/** Until they are done, each further attempt reports them again, and older. */
function reportWaiting(records: DynamoDBRecord[], now: Date): void {
  const written = records.map(({ dynamodb }) => dynamodb!.ApproximateCreationDateTime ?? now.getTime() / 1_000);
  const OutboxAge = Math.max(0, now.getTime() - Math.min(...written) * 1_000);
  count('outbox entries wait', { OutboxAge }, {}, { entries: records.length });
}
