import { LambdaClient } from '@aws-sdk/client-lambda';
import { SFNClient } from '@aws-sdk/client-sfn';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { shipped } from '../agents';
import { conversationIn } from '../core/conversations/rows/keys';
import { tableOfDeployment } from '../runtime/environment';
import { log, logged, withFields } from '../runtime/log';
import { count } from '../runtime/metrics';
import { originOf } from '../runtime/plain-error';
import { driveRow } from './drive-row';
import { cancelByFunctions } from './executions';
import { isPassing } from './passing';

const table = tableOfDeployment();
const stepFunctions = new SFNClient({});
const cancelElsewhere = cancelByFunctions(new LambdaClient({}));

/**
 * Relay: reads the table's stream and acts on outboxes. The process that commits an outbox acts on it at once; Relay acts again,
 * in case that process died. Acting twice changes nothing. What fails for good is given up at once: Reconcile tries it again each hour.
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
        // The rows of a deleted conversation have expired. What a later version has written, that version does, or its Reconcile.
        if (name === 'NotFound' || name === 'NewerRow') return log.warn('relay', { error: name });
        log.error('relay', { error: name, ...originOf(error) });
        if (isPassing(error)) waiting.push(record);
        // A retry would fail too, and block the records of other conversations.
        else count('an outbox entry is given up', { OutboxAge: givenUpAfterMs });
      }
    });
  }
  if (waiting.length > 0) reportWaiting(waiting, new Date());
  return { batchItemFailures: waiting.map(({ dynamodb }) => ({ itemIdentifier: dynamodb!.SequenceNumber! })) };
});

/** When the stream gives a record up. So what is given up at once rings the same alarm. */
const givenUpAfterMs = 6 * 3_600_000;

/** Until they are done, each further attempt reports them again, and older. */
function reportWaiting(records: DynamoDBRecord[], now: Date): void {
  const written = records.map(({ dynamodb }) => dynamodb!.ApproximateCreationDateTime ?? now.getTime() / 1_000);
  const OutboxAge = Math.max(0, now.getTime() - Math.min(...written) * 1_000);
  count('outbox entries wait', { OutboxAge }, {}, { entries: records.length });
}
