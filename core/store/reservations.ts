import { key } from '../rows/keys';
import type { Meta, StoredRun } from '../rows/meta';
import type { Reservation } from '../rows/short-meta';
import type { RowWrite } from './write';

/**
 * What users spend: `pk = N#<user>`, `sk = SPENT#<month>`, with the sums of the month and of each of its days. The rows exist only in
 * deployments with limits per user. The sums include what runs have reserved and not used yet: see `StoredRun.reserved`. Whatever ends a
 * run changes them, so they are beside the counts.
 */

export type Amount = Omit<Reservation, 'on'>;

export const keyOfSpending = (user: string, day: string) => ({
  pk: key.counted(user),
  // A date is ASCII.
  sk: `${key.spent}${day.slice(0, 7)}`,
});

/** Short, because the row has three for each day: a row of less than 1 KB costs one write unit. */
export const inMonth = { steps: 'steps', tokens: 'tokens', costMicrodollars: 'costMicrodollars' } as const;
export const inDay = (day: string) => {
  // A date is ASCII.
  const number = day.slice(8);
  return { steps: `s${number}`, tokens: `t${number}`, costMicrodollars: `c${number}` };
};

export const named = (names: Record<keyof Amount, string>, amounts: Partial<Amount>): Record<string, number> =>
  Object.fromEntries(Object.entries(amounts).map(([what, amount]) => [names[what as keyof Amount], amount]));

/** Adds to what a user has spent on a day and in its month. */
export const spending = (user: string, day: string, amount: Amount): RowWrite & { add: Record<string, number> } => ({
  ...keyOfSpending(user, day),
  add: { ...named(inMonth, amount), ...named(inDay(day), amount) },
});

export const nothing: Amount = { steps: 0, tokens: 0, costMicrodollars: 0 };

export const minus = (a: Amount, b: Amount): Amount => ({
  steps: a.steps - b.steps,
  tokens: a.tokens - b.tokens,
  costMicrodollars: a.costMicrodollars - b.costMicrodollars,
});

/** Takes a reservation back. */
export const unspending = (user: string, { on, ...reserved }: Reservation): RowWrite =>
  spending(user, on, minus(nothing, reserved));

/** Returns one step's part of a reservation. */
export const partOf = ({ on, steps, tokens, costMicrodollars }: Reservation): Reservation => ({
  on,
  steps: 1,
  tokens: Math.ceil(tokens / steps),
  costMicrodollars: Math.ceil(costMicrodollars / steps),
});

/**
 * Completes a change of a conversation by what becomes of its run's reservation.
 *
 * - If the change ends the message of a step that is in progress, the model call may have been made: one step's part stays counted, and
 *   moves to that message.
 * - A run that does not go on, or has used more than its reservation, settles it.
 */
export function settleReservation(current: Meta, next: Meta, rows: RowWrite[]): { next: Meta; rows: RowWrite[] } {
  const { run } = next;
  const user = next.owner || current.owner || next.deletedFor;
  if (!run?.reserved || !user) return { next, rows };
  const ended = rows.find((row) => isEnd(row, current.run));
  const part = ended && run.reserved.steps > 0 ? partOf(run.reserved) : undefined;
  const left = part ? { on: part.on, ...minus(run.reserved, part) } : run.reserved;
  const isOverdrawn = left.tokens < 0 || left.costMicrodollars < 0;
  const kept = run.status === 'running' && !isOverdrawn ? left : undefined;
  return {
    next: { ...next, run: { ...run, reserved: kept } },
    rows: [
      ...rows.map((row) => (row === ended ? { ...row, set: { ...row.set, reserved: JSON.stringify(part) } } : row)),
      ...(kept ? [] : [unspending(user, left)]),
    ] as RowWrite[],
  };
}

const isEnd = (row: RowWrite, run: StoredRun | undefined): row is Extract<RowWrite, { set: object }> =>
  run?.draft !== undefined &&
  row.sk === key.message(run.draft.seq) &&
  'set' in row &&
  (row.set.status === 'cancelled' || row.set.status === 'error');
