import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { sideBySide } from '../../core/base/time/side-by-side';
import type { Table } from '../../core/conversations/store/table';

/** Longer than a change can come again: the queue of what is undelivered keeps it for two weeks. */
const keptSeconds = 15 * 86_400;
const atOnce = 10;

const keyOf = (spanId: string) => ({ pk: `SPAN#${spanId}`, sk: 'SENT' });

/**
 * Returns which of these spans the backend has. A span whose process died after it was sent and before that was recorded is not among them,
 * and is sent again: with the same id.
 */
export async function sentOf({ client, name }: Table, spanIds: readonly string[]): Promise<ReadonlySet<string>> {
  const sent = new Set<string>();
  await sideBySide(spanIds, atOnce, async (spanId) => {
    const { Item } = await client.send(
      new GetCommand({ TableName: name, Key: keyOf(spanId), ProjectionExpression: 'pk' }),
    );
    if (Item) sent.add(spanId);
  });
  return sent;
}

/** Records that the backend has these spans, or has refused them for good. */
export async function recordSent({ client, name }: Table, spanIds: readonly string[], now: Date): Promise<void> {
  const ttl = Math.floor(now.getTime() / 1_000) + keptSeconds;
  await sideBySide(spanIds, atOnce, async (spanId) => {
    await client.send(new PutCommand({ TableName: name, Item: { ...keyOf(spanId), ttl } }));
  });
}
