import { type DeploymentLimits, type Spent, tokensOf } from '../agent/limits';
import { key } from '../rows/keys';
import { type Draft, type Meta, nextMeta } from '../rows/meta';
import { readableCount } from '../rows/readable';
import type { StoredMessage } from '../rows/rows';
import type { Reservation } from '../rows/short-meta';
import type { SegmentInput } from '../state/loop-state';
import type { Usage } from '../state/schemas';
import {
  type Amount,
  inDay,
  inMonth,
  keyOfSpending,
  minus,
  named,
  nothing,
  partOf,
  spending,
  unspending,
} from '../store/reservations';
import { changeConversation, RowConflict, readItem, readRow, type Table, write } from '../store/table';
import type { RowWrite } from '../store/write';
import { Superseded } from '../text/errors';

/**
 * The budget of a user. A run reserves an estimate before its model calls, for several steps at once while its user is far from the
 * limits, because each reservation costs four write units. META has what is left of it. A step's commit takes its usage from it, and
 * the run gives the rest back when it ends or waits (`core/store/reservations.ts`). A later attempt of a step finds the reservation in
 * META, so the step is counted once.
 */

/** For how many steps a run reserves at once. */
const stepsAhead = 10;
/** Only up to this part of each limit, so that what runs reserve and do not use keeps no other run from its last steps. */
const shareAhead = 0.5;

const dayOf = (now: Date): string => now.toISOString().slice(0, 10);

export async function readSpending(table: Table, user: string, now: Date): Promise<Spent> {
  const day = dayOf(now);
  const row: Record<string, unknown> = (await readItem(table, keyOfSpending(user, day))) ?? {};
  const read = (names: Record<keyof Amount, string>): Amount => {
    const of = (what: keyof Amount) => readableCount(row[names[what]]);
    return { steps: of('steps'), tokens: of('tokens'), costMicrodollars: of('costMicrodollars') };
  };
  return { month: read(inMonth), day: read(inDay(day)) };
}

const amountOf = (usage: Usage, steps: number): Amount => ({
  steps,
  tokens: tokensOf(usage),
  costMicrodollars: usage.costMicrodollars,
});

export const reservationOf = (estimate: Usage, now: Date, steps = 1): Reservation => ({
  on: dayOf(now),
  steps,
  tokens: steps * tokensOf(estimate),
  costMicrodollars: steps * estimate.costMicrodollars,
});

/** Counts a reservation. The write fails if it would pass a limit. */
export const reserving = (
  owner: string,
  { on, ...amount }: Reservation,
  { month = {}, day = {} }: DeploymentLimits,
): RowWrite => ({
  ...spending(owner, on, amount),
  atMost: { ...named(inMonth, month), ...named(inDay(on), day) },
});

/** Replaces the reservation of a call by its usage; undefined if it was not billed. */
export const spent = (owner: string, { on, ...reserved }: Reservation, usage: Usage | undefined): RowWrite =>
  spending(owner, on, minus(usage ? amountOf(usage, 1) : nothing, reserved));

/** Returns what a step's usage leaves of its run's reservation. */
export const afterUsing = (reserved: Reservation | undefined, usage: Usage): Reservation | undefined =>
  reserved && { on: reserved.on, ...minus(reserved, amountOf(usage, 1)) };

/** Counts a step whose run has no reservation any more. With one, `afterUsing` does. */
export const spentUnreserved = (owner: string, usage: Usage, now: Date): RowWrite[] =>
  usage.modelCalls > 0 ? [spending(owner, dayOf(now), amountOf(usage, 1))] : [];

/** Whether a step can be made from what its run has reserved before. */
const covers = (reserved: Reservation, estimate: Reservation): boolean =>
  reserved.on === estimate.on &&
  (['steps', 'tokens', 'costMicrodollars'] as const).every((what) => reserved[what] >= estimate[what]);

/** The step that reserves. `meta` is META after it has begun. */
export interface Reserving {
  at: SegmentInput;
  draft: Draft;
  meta: Meta;
  /** What its message has kept of an earlier attempt's reservation: its field `reserved`. */
  held?: string;
}

/**
 * Makes sure that what the run has reserved today is enough for the step.
 *
 * @returns META after that; undefined if it would pass a limit. The run has then no reservation.
 * @throws Superseded if another attempt has taken over the step.
 */
export async function reserve(
  table: Table,
  step: Reserving,
  estimate: Usage,
  limits: DeploymentLimits,
  now: Date,
): Promise<Meta | undefined> {
  const { meta, held } = step;
  const { owner, run } = meta;
  if (!held && run?.reserved && covers(run.reserved, reservationOf(estimate, now))) return meta;
  const ahead = reservationOf(estimate, now, stepsAhead);
  const isFar = isWithin(await readSpending(table, owner, now), ahead, limits);
  const reserved =
    (isFar && (await replaceReservation(table, step, ahead, limits))) ||
    (await replaceReservation(table, step, reservationOf(estimate, now), limits));
  if (!reserved) await giveBack(table, step, undefined);
  return reserved;
}

function isWithin(spent: Spent, more: Amount, limits: DeploymentLimits): boolean {
  return (['month', 'day'] as const).every((period) =>
    Object.entries(limits[period] ?? {}).every(
      ([what, most]) => spent[period][what as keyof Amount] + more[what as keyof Amount] <= shareAhead * most,
    ),
  );
}

/** Gives back what is left of the run's reservation, and reserves anew. @returns undefined if it would pass a limit. */
async function replaceReservation(
  table: Table,
  { at, draft, meta, held }: Reserving,
  reserved: Reservation,
  limits: DeploymentLimits,
): Promise<Meta | undefined> {
  const { seq, writer, attempt = 1 } = draft;
  const kept = held === undefined ? undefined : (JSON.parse(held) as Reservation);
  const reserveIn = (current: Meta) => {
    const { run, owner } = current;
    if (run?.draft?.writer !== writer) throw new Superseded('Another attempt of this step has taken over.');
    const before = run.reserved;
    // An attempt of another day may have made its call, which then counts on that day.
    const isUsed = before !== undefined && before.steps > 0 && before.on !== reserved.on && attempt > 1;
    const left = isUsed ? { on: before.on, ...minus(before, partOf(before)) } : before;
    const next: Meta = { ...current, run: { ...run, reserved } };
    const rows: RowWrite[] = [
      ...(left ? [unspending(owner, left)] : []),
      ...(kept?.on === reserved.on ? [unspending(owner, kept)] : []),
      ...(kept ? [{ sk: key.message(seq), set: {}, remove: ['reserved'], onlyIf: { writer } }] : []),
      reserving(owner, reserved, limits),
    ];
    return { meta: next, rows, answer: nextMeta(current, next) };
  };
  const throwsAt = (sk: string) => sk.startsWith(key.spent);
  try {
    return await changeConversation(table, at.conversationId, reserveIn, { known: meta, throwsAt });
  } catch (error) {
    if (error instanceof RowConflict) return undefined;
    throw error;
  }
}

/**
 * Gives back the reservation of a run whose model call has failed, or is not made. If the call was billed, its usage stays counted. If
 * another attempt has taken over the step, the reservation is that attempt's.
 */
export const giveBack = (
  table: Table,
  { at, draft }: Pick<Reserving, 'at' | 'draft'>,
  billed: Usage | undefined,
): Promise<void> =>
  changeConversation<void>(table, at.conversationId, (meta) => {
    const { run, owner } = meta;
    if (run?.draft?.writer !== draft.writer || !run.reserved) return { answer: undefined };
    const { on, ...left } = billed ? afterUsing(run.reserved, billed)! : run.reserved;
    return {
      meta: { ...meta, run: { ...run, reserved: undefined } },
      rows: [spending(owner, on, minus(nothing, left))],
      answer: undefined,
    };
  });

/**
 * Counts the usage of a reply that was cut off: its tokens are billed. Its message keeps the usage. If another attempt has taken over
 * the step, the message and the reservation are that attempt's.
 */
export async function spentOnCutOff(
  table: Table,
  { at, draft, meta: { owner } }: Pick<Reserving, 'at' | 'draft' | 'meta'>,
  usage: Usage,
  { isLimited, now }: { isLimited: boolean; now: Date },
): Promise<void> {
  const { conversationId } = at;
  const sk = key.message(draft.seq);
  const { reserved } = ((await readRow(table, conversationId, sk)) ?? {}) as Partial<StoredMessage>;
  if (!isLimited && !reserved) {
    await write(table, conversationId, [{ sk, set: { usage }, onlyIf: { status: 'cancelled' } }]);
    return;
  }
  if (reserved) {
    const own: RowWrite = { sk, set: { usage }, remove: ['reserved'], onlyIf: { status: 'cancelled', reserved } };
    if (await write(table, conversationId, [own, spent(owner, JSON.parse(reserved), usage)])) return;
  }
  await write(table, conversationId, [spending(owner, dayOf(now), amountOf(usage, 0))]);
}
