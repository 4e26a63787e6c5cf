import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { isActive } from '../../base/state/schemas';
import { type Counts, countLimits } from '../../base/state/user-limits';
import { ConversationBusy, LimitReached } from '../../base/text/errors';
import { key } from '../rows/keys';
import type { Meta } from '../rows/meta';
import type { RowWrite } from './write';

/**
 * A user's counts: one row per user (`pk = N#<user>`, `sk = COUNTS`). It changes in the transactions in which runs, conversations and
 * timers begin and end, so it is exact whatever process dies, and its condition holds under a race.
 */

/** Adds to a user's counts. A limit applies to the counts that grow. */
export const countRow = (user: string, add: Partial<Counts>, atMost: Partial<Counts> = {}): RowWrite => ({
  pk: key.counted(user),
  sk: key.counts,
  add,
  atMost,
});

/** Returns the change of the counts that belongs to a change of a conversation. */
export function countChange(before: Meta | undefined, after: Meta, atMost?: Partial<Counts>): RowWrite[] {
  const [from, to] = [countsOf(before), countsOf(after)];
  const changes = Object.entries(to).map(([what, count]) => [what, count - from[what as keyof typeof from]] as const);
  const add = Object.fromEntries(changes.filter(([, change]) => change !== 0));
  const user = after.owner || before?.owner || after.deletedFor;
  return user && Object.keys(add).length > 0 ? [countRow(user, add, atMost)] : [];
}

/** Runs and conversations from before Vigil counted them have no mark. */
function countsOf(meta: Meta | undefined): Omit<Counts, 'timers'> {
  const { run, owner, parent, counted, forking } = meta ?? {};
  const runs = run?.counted && isActive(run.status) ? 1 : 0;
  return { runs, subAgents: parent ? runs : 0, conversations: counted && owner && !forking ? 1 : 0 };
}

/** Returns a count of a row, to which numbers are only added; 0 if it is none. */
export const countIn = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : 0;

interface Table {
  client: DynamoDBDocumentClient;
  name: string;
}

export async function readCounts({ client, name }: Table, user: string): Promise<Counts> {
  const Key = { pk: key.counted(user), sk: key.counts };
  const { Item = {} } = await client.send(new GetCommand({ TableName: name, Key, ConsistentRead: true }));
  const of = (what: keyof Counts) => countIn(Item[what]);
  return { runs: of('runs'), subAgents: of('subAgents'), conversations: of('conversations'), timers: of('timers') };
}

/** Returns which limit of the counts a write would pass; undefined if there is room again. */
export async function reachedLimit(table: Table, rows: RowWrite[]): Promise<LimitReached | undefined> {
  for (const row of rows) {
    if (row.sk !== key.counts || !('add' in row) || !row.pk) continue;
    const counts = await readCounts(table, row.pk.slice(key.counted('').length));
    for (const [what, more] of Object.entries(row.add) as [keyof Counts, number][]) {
      const most = row.atMost?.[what];
      if (more > 0 && most !== undefined && counts[what] + more > most) return limitReached(what, counts[what], most);
    }
  }
  return undefined;
}

/** Like `reachedLimit`, for a caller that does not try again. */
export const refusedBy = async (table: Table, rows: RowWrite[]): Promise<Error> =>
  (await reachedLimit(table, rows)) ?? new ConversationBusy('Too much begins at once for this user. Try again.');

function limitReached(name: keyof Counts, used: number, most: number): LimitReached {
  const { variable, what, remedy } = countLimits[name];
  return new LimitReached(
    { name, used, most, variable },
    `You have ${used} of ${most} ${what}. ${remedy}${variable === undefined ? '' : `, or raise ${variable}`}.`,
  );
}
