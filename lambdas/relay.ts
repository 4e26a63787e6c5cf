import { LambdaClient } from '@aws-sdk/client-lambda';
import { SFNClient } from '@aws-sdk/client-sfn';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { shipped } from '../agents';
import { conversationIn } from '../core/conversations/rows/keys';
import { tableOfDeployment } from '../runtime/environment';
import { log, logged, withFields } from '../runtime/log';
import { count } from '../runtime/metrics';
import { originOf } from '../runtime/plain-error';
import { cancelByFunctions } from './executions';
import { isPassing } from './passing';
import { actOnRow } from './todos';

const acting = {
  client: new SFNClient({}),
  table: tableOfDeployment(),
  registry: shipped,
  cancelElsewhere: cancelByFunctions(new LambdaClient({})),
};

/**
 * Relay: reads the table's stream and does what follows from each transaction, if the process that has committed it has not. What fails for
 * good is given up at once: Reconcile tries it again each hour.
 */
export const handler = logged(async (event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
  const waiting: DynamoDBRecord[] = [];
  for (const record of event.Records) {
    const { pk, sk } = record.dynamodb!.Keys!;
    const conversationId = conversationIn(pk!.S!);
    await withFields({ conversationId }, async () => {
      try {
        await actOnRow(acting, { pk: pk!.S!, sk: sk!.S! });
      } catch (error) {
        const { name } = error as Error;
        // What a later version has written, that version does, or its Reconcile.
        if (name === 'NewerRow') return log.warn('relay', { error: name });
        log.error('relay', { error: name, ...originOf(error) });
        if (isPassing(error)) waiting.push(record);
        // A retry would fail too, and block the records of other conversations.
        else count('a to-do is given up', { OutboxAge: givenUpAfterMs });
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
  count('to-dos wait', { OutboxAge }, {}, { rows: records.length });
}
