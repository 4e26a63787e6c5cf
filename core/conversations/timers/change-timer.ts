// core/conversations/timers: what changes a timer.

import { InvalidInput, WrongState } from '../../base/text/errors';
import { momentOf } from '../../base/time/local-time';
import type { Policies, Times } from '../../base/time/rule';
import { checkAt, checkJitter, firingOf, nextSlot, ruleOfTimes } from '../../base/time/schedule';
import {
  cancelTimerRows,
  inSegment,
  isArranged,
  isOpenTimer,
  listing,
  noTimer,
  readArranged,
  readTimer,
  ruleFields,
  ruleOf,
  slotOf,
  stopWaiting,
  waitFor,
} from '../calls/timer';
import { type Person, readMetaFor } from '../members/role';
import { key } from '../rows/keys';
import { type StoredTimer, timerRow } from '../rows/rows';
import { readSettings } from '../runs/user-settings';
import { retryOnConflict } from '../store/retry-on-conflict';
import { type Table, write } from '../store/table';
import type { RowWrite } from '../store/write';

/** What a person, a machine or the code changes of a timer. What is left out stays. */
export interface TimerChange extends Policies {
  name?: string;
  text?: string;
  /** For a timer that fires once: a `Time`, local in the user's zone unless it says. */
  at?: string;
  /** For a recurring timer. What it leaves out of the times stays as well. */
  times?: Times;
  paused?: boolean;
}

/**
 * Pauses, resumes or changes a timer. A paused timer has no execution; a resumed one, and one whose time changes, gets another.
 *
 * @returns the timer afterwards.
 * @throws NotFound, NotAllowed if the person is not the conversation's owner, or it has no such timer.
 * @throws WrongState if the timer is over, or the code declares what is changed.
 * @throws InvalidInput naming the field.
 * @throws ConversationBusy if the timer's row keeps changing.
 */
export async function changeTimer(
  table: Table,
  conversationId: string,
  timerId: string,
  change: TimerChange,
  { user, now }: { user: string; now: Date },
): Promise<StoredTimer> {
  const [{ timeZone }] = await Promise.all([
    readSettings(table, user),
    readMetaFor(table, conversationId, user, 'owner'),
  ]);
  return retryOnConflict(`The timer ${timerId} keeps changing.`, async () => {
    const timer = await readArranged(table, conversationId, timerId);
    const declared = Object.entries(change).find(([field, value]) => field !== 'paused' && value !== undefined);
    if (timer.schedule && declared)
      throw new WrongState(`The code declares the schedule ${timer.schedule}: change its ${declared[0]} there.`, {
        kind: 'timer-in-code',
      });
    const { next, rows } = changedTimer(timer, change, now, timeZone);
    if (rows.length === 0) return timer;
    return (await write(table, conversationId, rows)) ? { ...next, version: timer.version + 1 } : undefined;
  });
}

/**
 * Returns the timer after a change, and the writes; none if nothing changes.
 *
 * @param zone the user's time zone, for times that name none.
 * @throws WrongState if the timer is over.
 * @throws InvalidInput naming the field.
 */
export function changedTimer(
  timer: StoredTimer,
  change: TimerChange,
  now: Date,
  zone = 'UTC',
): { next: StoredTimer; rows: RowWrite[] } {
  if (!isOpenTimer(timer)) throw new WrongState('The timer is over, so it cannot be changed.', { kind: 'timer-over' });
  assertFits(timer, change);
  const { paused = timer.status === 'paused', at, times, ...own } = change;
  const rule = times && ruleOfTimes(completed(timer, times, zone), now);
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  const set: StoredTimer = { ...timer, ...given, ...(rule && ruleFields(rule)), status: paused ? 'paused' : 'active' };
  checkJitter(ruleOf(set), set.jitterSeconds);
  const resumes = timer.status === 'paused' && !paused;
  // A request that is repeated moves nothing.
  const isMoved = at !== undefined || resumes || timesOf(set) !== timesOf(timer);
  const moved = isMoved ? { ...set, ...firingOf(set, at ? timeOf(at, zone, now) : nextTime(timer, set, now)) } : set;
  if (paused && timer.status === 'active') return withWrites(timer, moved, [stopWaiting(timer)]);
  if (!isMoved || paused) return withWrites(timer, moved);
  const restarted = { ...moved, ...inSegment(timer.segment + 1, now) };
  return withWrites(timer, restarted, [stopWaiting(timer, 'renewed'), waitFor(restarted)]);
}

/** @throws InvalidInput naming a field that such a timer does not have. */
function assertFits({ kind }: StoredTimer, { at, text, times, overlap, catchUp, jitterSeconds }: TimerChange): void {
  if (kind === 'tool' && text !== undefined) throw new InvalidInput('text', 'the timer calls a tool: it has no text');
  if (kind === 'repeat' && at !== undefined)
    throw new InvalidInput('at', 'the timer is recurring: change "cron" or "every"');
  const recurring = { cron: times, overlap, catchUp, jitterSeconds };
  const [field] = Object.entries(recurring).find(([, value]) => value !== undefined) ?? [];
  if (kind !== 'repeat' && field) throw new InvalidInput(field, 'the timer fires once: change "at"');
}

/** Returns the times with those that a change leaves out. */
const completed = (timer: StoredTimer, { cron, every, timeZone }: Times, zone: string): Times => ({
  every,
  cron: cron ?? (every === undefined && timer.everySeconds === undefined ? timer.rule : undefined),
  timeZone: timeZone ?? timer.timeZone ?? zone,
});

const timesOf = ({ rule, timeZone, jitterSeconds = 0 }: StoredTimer): string => `${rule} ${timeZone} ${jitterSeconds}`;

function timeOf(at: string, zone: string, now: Date): Date {
  const moment = momentOf(at, zone);
  checkAt(moment, now);
  return moment;
}

/** Returns the next time of a timer that is changed or resumed. An interval that stays keeps its rhythm. */
function nextTime(before: StoredTimer, { kind, ...changed }: StoredTimer, now: Date): Date | undefined {
  if (kind !== 'repeat') return new Date(before.nextAt);
  const rule = ruleOf({ kind, ...changed });
  return nextSlot(rule, rule.everySeconds === before.everySeconds ? slotOf(before) : now, now);
}

/** Returns the write of what differs, if its row has not changed meanwhile, and what follows from it. */
function withWrites(
  before: StoredTimer,
  next: StoredTimer,
  todos: RowWrite[] = [],
): { next: StoredTimer; rows: RowWrite[] } {
  const [from, to] = [timerRow(before), timerRow(next)] as Record<string, unknown>[];
  const changed = [...new Set([...Object.keys(from!), ...Object.keys(to!)])].filter(
    (name) => from![name] !== to![name],
  );
  if (changed.length === 0) return { next, rows: [] };
  const set = Object.fromEntries(changed.map((name) => [name, to![name]]));
  const remove = changed.filter((name) => to![name] === undefined);
  const row = { set: { ...set, ...listing(next) }, remove, onlyIf: { version: before.version } };
  return { next, rows: [{ pk: key.conversation(next.conversationId), sk: key.timer(next.id), ...row }, ...todos] };
}

/**
 * Cancels a timer. A timer that is finished or already cancelled does not change.
 *
 * @param by.user the owner that the conversation must have.
 * @param by.segment the segment that the timer must be in. An execution that has handed over cannot cancel it.
 * @returns the timer afterwards.
 * @throws NotFound, NotAllowed if the person is not the conversation's owner, or it has no such timer.
 * @throws ConversationBusy if the timer's row keeps changing.
 */
export async function cancelTimer(
  table: Table,
  conversationId: string,
  timerId: string,
  by: { user?: Person; segment?: number } = {},
): Promise<StoredTimer> {
  const { user, segment } = by;
  if (user !== undefined) await readMetaFor(table, conversationId, user, 'owner');
  return retryOnConflict(`The timer ${timerId} keeps changing.`, async () => {
    const timer = await readTimer(table, conversationId, timerId);
    if (!timer || (user !== undefined && !isArranged(timer))) throw noTimer(timerId);
    // The execution of a paused timer was stopped on purpose.
    const isOfSegment = segment === undefined || (timer.segment === segment && timer.status === 'active');
    if (!isOpenTimer(timer) || !isOfSegment) return timer;
    const rows = cancelTimerRows(timer);
    // Counts that cannot be read do not keep it from being cancelled.
    const isDone = await write(table, conversationId, rows).catch((error: Error) => {
      if (error.name !== 'UnreadableRow') throw error;
      return write(
        table,
        conversationId,
        rows.filter((row) => !('add' in row)),
      );
    });
    if (!isDone) return undefined;
    return { ...timer, version: timer.version + 1, status: 'cancelled' };
  });
}
