import { type DeploymentLimits, type Spending, type Spent, tokensOf } from '../agent/limits';
import type { Usage } from '../state/schemas';
import { type Draft, key } from '../store/rows';
import { RowConflict, readItem, type Table, write } from '../store/table';
import type { RowWrite } from '../store/write';
import { Superseded } from '../text/errors';

/**
 * What users spend: `pk = U#<user>`, `sk = SPENT#<month>`, with the sums of the month and of each of its days. The rows exist only in
 * deployments with limits per user.
 *
 * A step reserves an estimate before its model call, and its commit replaces the estimate by the usage. The step's message holds the
 * reservation, so a later attempt of the step takes it over, and it is counted once.
 */
export interface Reservation extends Required<Spending> {
  /** The day on which it counts. */
  on: string;
}

type Amount = Required<Spending>;

const dayOf = (now: Date): string => now.toISOString().slice(0, 10);
const keyOf = (user: string, day: string) => ({ pk: key.user(user), sk: `SPENT#${day.slice(0, 7)}` });

/** Short, because the row has three for each day: a row of less than 1 KB costs one write unit. */
const inMonth = { steps: 'steps', tokens: 'tokens', costMicrodollars: 'costMicrodollars' } as const;
const inDay = (day: string) => {
  const number = day.slice(8);
  return { steps: `s${number}`, tokens: `t${number}`, costMicrodollars: `c${number}` };
};

const named = (names: Record<keyof Spending, string>, amounts: Spending): Record<string, number> =>
  Object.fromEntries(Object.entries(amounts).map(([what, amount]) => [names[what as keyof Spending], amount]));

export async function readSpending(table: Table, user: string, now: Date): Promise<Spent> {
  const day = dayOf(now);
  const row = (await readItem(table, keyOf(user, day))) ?? {};
  const read = (names: Record<keyof Spending, string>): Amount => {
    const of = (what: keyof Spending) => (row[names[what]] as number | undefined) ?? 0;
    return { steps: of('steps'), tokens: of('tokens'), costMicrodollars: of('costMicrodollars') };
  };
  return { month: read(inMonth), day: read(inDay(day)) };
}

const adding = (user: string, day: string, amount: Amount): RowWrite & { add: Record<string, number> } => ({
  ...keyOf(user, day),
  add: { ...named(inMonth, amount), ...named(inDay(day), amount) },
});

const amountOf = (usage: Usage, steps: number): Amount => ({
  steps,
  tokens: tokensOf(usage),
  costMicrodollars: usage.costMicrodollars,
});

const nothing: Amount = { steps: 0, tokens: 0, costMicrodollars: 0 };

const minus = (a: Amount, b: Amount): Amount => ({
  steps: a.steps - b.steps,
  tokens: a.tokens - b.tokens,
  costMicrodollars: a.costMicrodollars - b.costMicrodollars,
});

export const reservationOf = (estimate: Usage, now: Date): Reservation => ({
  on: dayOf(now),
  ...amountOf(estimate, 1),
});

/** Counts a reservation. The write fails if it would pass a limit. */
export const reserving = (
  owner: string,
  { on, ...amount }: Reservation,
  { month = {}, day = {} }: DeploymentLimits,
): RowWrite => ({ ...adding(owner, on, amount), atMost: { ...named(inMonth, month), ...named(inDay(on), day) } });

/** Takes back a reservation of a call that was not billed. */
export const unspent = (owner: string, { on, ...reserved }: Reservation): RowWrite =>
  adding(owner, on, minus(nothing, reserved));

/** The step that reserves: its conversation, its owner and its place in the log. */
export interface Reserving {
  conversationId: string;
  owner: string;
  draft: Draft;
  /** What an earlier attempt of the step has reserved: the field of its message. */
  held?: string;
}

/**
 * Reserves a step's budget, unless an earlier attempt of the step has done so today.
 *
 * @returns undefined if it would pass a limit. Nothing is written then.
 * @throws Superseded if another attempt has taken over the step.
 */
export async function reserve(
  table: Table,
  { conversationId, owner, draft, held }: Reserving,
  estimate: Usage,
  limits: DeploymentLimits,
  now: Date,
): Promise<Reservation | undefined> {
  const earlier = held === undefined ? undefined : (JSON.parse(held) as Reservation);
  // One of another day counts on that day, when an attempt may have been made.
  if (earlier?.on === dayOf(now)) return earlier;
  const reservation = reservationOf(estimate, now);
  const { seq, writer } = draft;
  const rows: RowWrite[] = [
    { sk: key.message(seq), set: { reserved: JSON.stringify(reservation) }, onlyIf: { writer } },
    reserving(owner, reservation, limits),
  ];
  try {
    if (await write(table, conversationId, rows)) return reservation;
  } catch (error) {
    if (error instanceof RowConflict) return undefined;
    throw error;
  }
  throw new Superseded('Another attempt of this step has taken over.');
}

/** Replaces a step's reservation by its usage. In the step's transaction, this counts a stored step once. */
export const spent = (owner: string, { on, ...reserved }: Reservation, usage: Usage): RowWrite =>
  adding(owner, on, minus(amountOf(usage, 1), reserved));

/**
 * Ends a reservation whose model call has failed. If the call was not billed, nothing is spent. If another attempt has taken over the
 * step, the reservation is that attempt's.
 */
export async function giveBack(
  table: Table,
  { conversationId, owner, draft }: Reserving,
  { on, ...reserved }: Reservation,
  billed: Usage | undefined,
): Promise<void> {
  const used = billed ? amountOf(billed, 1) : nothing;
  const { seq, writer } = draft;
  await write(table, conversationId, [
    { sk: key.message(seq), set: {}, remove: ['reserved'], onlyIf: { writer } },
    adding(owner, on, minus(used, reserved)),
  ]);
}

/**
 * Counts the usage of a reply that was cut off: its tokens are billed. Its message keeps the usage. If another attempt has taken over
 * the step, the message and the reservation are that attempt's.
 */
export async function spentOnCutOff(
  table: Table,
  { conversationId, owner, draft }: Reserving,
  reservation: Reservation | undefined,
  usage: Usage,
): Promise<void> {
  const message = { sk: key.message(draft.seq), set: { usage } };
  if (!reservation) {
    await write(table, conversationId, [{ ...message, onlyIf: { status: 'cancelled' } }]);
    return;
  }
  const reserved = JSON.stringify(reservation);
  const own: RowWrite = { ...message, remove: ['reserved'], onlyIf: { status: 'cancelled', reserved } };
  if (await write(table, conversationId, [own, spent(owner, reservation, usage)])) return;
  await write(table, conversationId, [adding(owner, reservation.on, amountOf(usage, 0))]);
}
