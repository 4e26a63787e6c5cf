import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type Spending, tokensOf } from '../agent/limits';
import type { Usage } from '../state/schemas';
import type { Table } from '../store/table';
import type { RowWrite } from '../store/write';

/** The key of a user's monthly spending. The row exists only in deployments with limits per user. */
const keyOf = (user: string, now: Date) => ({ pk: `U#${user}`, sk: `SPENT#${now.toISOString().slice(0, 7)}` });

export async function readSpending(table: Table, user: string, now: Date): Promise<Spending> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: keyOf(user, now), ConsistentRead: true }),
  );
  const { steps = 0, tokens = 0, costMicrodollars = 0 } = (Item ?? {}) as Spending;
  return { steps, tokens, costMicrodollars };
}

/**
 * Adds a step's usage to the user's spending. In the step's transaction, this counts a stored step once.
 *
 * @param steps 0 for a reply that was cut off: its tokens count, but it is not a step.
 */
export const spent = (user: string, usage: Usage, now: Date, steps = 1): RowWrite => ({
  ...keyOf(user, now),
  add: { steps, tokens: tokensOf(usage), costMicrodollars: usage.costMicrodollars },
});
