import type { Usage } from '../../base/state/schemas';
import { Superseded } from '../../base/text/errors';
import { type DeploymentLimits, type Spending, type Spent, tokensOf } from '../agent/limits';
import { key } from '../rows/keys';
import type { Draft } from '../rows/meta';
import { countIn } from '../store/counts';
import { RowConflict, readItem, type Table, write } from '../store/table';
import type { RowWrite } from '../store/write';

/**
 * The spending of users: `pk = N#<user>`, `sk = SPENT#<month>`, with the sums of the month and of each of its days. The rows exist only in
 * deployments with limits per user.
 *
 * A step reserves an estimate before its model call, and its commit replaces the estimate by the usage. The step's message holds the
 * reservation, so a later attempt of the step takes it over, and the step is counted once.
 */
export interface Reservation extends Amount {
  /** The day on which it counts, as an ISO date (UTC). */
  on: string;
}

type Amount = Required<Spending>;

const dayOf = (now: Date): string => now.toISOString().slice(0, 10);

export const spendingKey = (user: string, day: string) => ({
  pk: key.counted(user),
  // A date is ASCII.
  sk: `${key.spent}${day.slice(0, 7)}`,
});

/** Short, because the row has three for each day. */
const inMonth = { steps: 'steps', tokens: 'tokens', costMicrodollars: 'costMicrodollars' } as const;
const inDay = (day: string) => {
  // A date is ASCII.
  const number = day.slice(8);
  return { steps: `s${number}`, tokens: `t${number}`, costMicrodollars: `c${number}` };
};

const asAttributes = (names: Record<keyof Amount, string>, amounts: Partial<Amount>): Record<string, number> =>
  Object.fromEntries(Object.entries(amounts).map(([what, amount]) => [names[what as keyof Amount], amount]));

/** What the caches of models did for a user in a month. */
export interface Cached {
  inputTokens: number;
  savedMicrodollars: number;
}

/** What is known only of a month: with a figure for each day, the row would soon need one more write unit. */
const ofMonth = ['cachedInputTokens', 'savedMicrodollars', 'unpricedCalls'] as const;

const onlyInMonth = (usage: Partial<Usage> = {}): Record<string, number> =>
  Object.fromEntries(ofMonth.flatMap((name) => (usage[name] ? [[name, usage[name]]] : [])));

/** Adds to what a user has spent on a day and in its month. */
const spending = (
  user: string,
  day: string,
  amount: Amount,
  usage?: Usage,
): RowWrite & { add: Record<string, number> } => ({
  ...spendingKey(user, day),
  add: { ...asAttributes(inMonth, amount), ...asAttributes(inDay(day), amount), ...onlyInMonth(usage) },
});

/** Counts what was billed beside a user's steps: no limit stops it. */
export const spentBeside = (user: string, usage: Usage, now: Date): RowWrite =>
  spending(user, dayOf(now), amountOf(usage, 0), usage);

/** Counts what was embedded for a user. It is no step, and no limit stops it. */
export const spentOnEmbeddings = (user: string, amount: Omit<Amount, 'steps'>, now: Date): RowWrite =>
  spending(user, dayOf(now), { steps: 0, ...amount });

const noAmount: Amount = { steps: 0, tokens: 0, costMicrodollars: 0 };

const minus = (a: Amount, b: Amount): Amount => ({
  steps: a.steps - b.steps,
  tokens: a.tokens - b.tokens,
  costMicrodollars: a.costMicrodollars - b.costMicrodollars,
});

export async function readSpending(
  table: Table,
  user: string,
  now: Date,
): Promise<Spent & { cached: Cached; unpricedCalls: number }> {
  const day = dayOf(now);
  const row: Record<string, unknown> = (await readItem(table, spendingKey(user, day))) ?? {};
  const read = (names: Record<keyof Amount, string>): Amount => {
    const of = (what: keyof Amount) => countIn(row[names[what]]);
    return { steps: of('steps'), tokens: of('tokens'), costMicrodollars: of('costMicrodollars') };
  };
  const cached = {
    inputTokens: countIn(row.cachedInputTokens),
    savedMicrodollars: countIn(row.savedMicrodollars),
  };
  return { month: read(inMonth), day: read(inDay(day)), cached, unpricedCalls: countIn(row.unpricedCalls) };
}

const amountOf = (usage: Usage, steps: number): Amount => ({
  steps,
  tokens: tokensOf(usage),
  costMicrodollars: usage.costMicrodollars,
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
): RowWrite => ({
  ...spending(owner, on, amount),
  atMost: { ...asAttributes(inMonth, month), ...asAttributes(inDay(on), day) },
});

/** Replaces a reservation by the usage; undefined if nothing was billed. In the step's transaction, this counts a stored step once. */
export const spent = (owner: string, { on, ...reserved }: Reservation, usage: Usage | undefined): RowWrite =>
  spending(owner, on, minus(usage ? amountOf(usage, 1) : noAmount, reserved), usage);

/** A step whose message holds its reservation. */
export interface Reserving {
  conversationId: string;
  owner: string;
  draft: Draft;
}

/**
 * Reserves a step's budget, unless an earlier attempt of the step has done so today.
 *
 * @param held what an earlier attempt has left in the message's field `reserved`.
 * @returns undefined if it would pass a limit. Nothing is written then.
 * @throws Superseded if another attempt has taken over the step.
 */
export async function reserve(
  table: Table,
  { conversationId, owner, draft: { seq, writer } }: Reserving,
  { held, estimate, limits, now }: { held?: string; estimate: Usage; limits: DeploymentLimits; now: Date },
): Promise<Reservation | undefined> {
  const earlier = held === undefined ? undefined : (JSON.parse(held) as Reservation);
  // One of another day stays counted on that day: the model may have been called.
  if (earlier?.on === dayOf(now)) return earlier;
  const reservation = reservationOf(estimate, now);
  const set = { reserved: JSON.stringify(reservation) };
  const rows: RowWrite[] = [{ sk: key.message(seq), set, onlyIf: { writer } }, reserving(owner, reservation, limits)];
  try {
    if (await write(table, conversationId, rows)) return reservation;
  } catch (error) {
    if (error instanceof RowConflict) return undefined;
    throw error;
  }
  throw new Superseded('Another attempt of this step has taken over.');
}

/** Replaces the reservation of a step whose model call has failed by what was billed. */
export const givenBack = (
  { seq, writer }: Draft,
  owner: string,
  reservation: Reservation,
  billed: Usage | undefined,
): RowWrite[] => [
  { sk: key.message(seq), set: {}, remove: ['reserved'], onlyIf: { writer } },
  spent(owner, reservation, billed),
];

/**
 * Counts the usage of a reply that was cut off: its tokens are billed. Its message keeps the usage. If another attempt has taken over
 * the step, the message and the reservation are that attempt's.
 */
export async function spentOnCutOff(
  table: Table,
  { conversationId, owner, draft: { seq } }: Reserving,
  reservation: Reservation | undefined,
  usage: Usage,
): Promise<void> {
  const sk = key.message(seq);
  if (!reservation) {
    await write(table, conversationId, [{ sk, set: { usage }, onlyIf: { status: 'cancelled' } }]);
    return;
  }
  const reserved = JSON.stringify(reservation);
  const own: RowWrite = { sk, set: { usage }, remove: ['reserved'], onlyIf: { status: 'cancelled', reserved } };
  if (await write(table, conversationId, [own, spent(owner, reservation, usage)])) return;
  await write(table, conversationId, [spending(owner, reservation.on, amountOf(usage, 0), usage)]);
}
