import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type Spending, tokensOf } from '../agent/limits';
import type { Usage } from '../state/schemas';
import type { Table } from '../store/table';
import type { RowWrite } from '../store/write';

/**
 * What a user has spent in a month, in a row of their own: `pk = U#<user>`, `sk = SPENT#<yyyy-mm>`. Only deployments with
 * limits per user keep it.
 */
const keyOf = (user: string, now: Date) => ({ pk: `U#${user}`, sk: `SPENT#${now.toISOString().slice(0, 7)}` });

export async function readSpending(table: Table, user: string, now: Date): Promise<Spending> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: keyOf(user, now), ConsistentRead: true }),
  );
  const { steps = 0, tokens = 0, costMicrodollars = 0 } = (Item ?? {}) as Spending;
  return { steps, tokens, costMicrodollars };
}

/** Counted in the step's own transaction: a step that is stored is counted once. One that was cut off is no step, and spent all the same. */
export const spent = (user: string, usage: Usage, now: Date, steps = 1): RowWrite => ({
  ...keyOf(user, now),
  add: { steps, tokens: tokensOf(usage), costMicrodollars: usage.costMicrodollars },
});
