import { InvalidInput, NotFound, WrongState } from '../../base/text/errors';
import type { Policies, Rule } from '../../base/time/rule';
import { checkAt, checkJitter, checkRule, firingOf, nextSlot } from '../../base/time/schedule';
import { cancelTimerRows, isArranged, isOpenTimer, listing, readTimer, ruleFields, ruleOf } from '../calls/timer';
import { key } from '../rows/keys';
import { type StoredTimer, timerRow } from '../rows/rows';
import { readOwnMeta } from '../runs/conversation';
import { retryOnConflict } from '../store/retry-on-conflict';
import { type Table, write } from '../store/table';
import type { RowWrite } from '../store/write';

/** What a person, a machine or the code changes of a timer. What is left out stays. */
export interface TimerChange extends Policies {
  name?: string;
  text?: string;
  /** For a timer that fires once. */
  at?: Date;
  /** For a recurring timer. */
  rule?: Rule;
  paused?: boolean;
}

/**
 * Pauses, resumes or changes a timer. A paused timer has no execution; a resumed one, and one whose time changes, gets another.
 *
 * @returns the timer afterwards, whose outbox the caller must act on.
 * @throws NotFound if the conversation is not this user's or has no such timer.
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
  await readOwnMeta(table, conversationId, user);
  return retryOnConflict(`The timer ${timerId} keeps changing.`, async () => {
    const timer = await readTimer(table, conversationId, timerId);
    if (!timer || !isArranged(timer)) throw noTimer(timerId);
    const declared = Object.entries(change).find(([field, value]) => field !== 'paused' && value !== undefined);
    if (timer.schedule && declared)
      throw new WrongState(`The code declares the schedule ${timer.schedule}: change its ${declared[0]} there.`);
    const { next, row } = changedTimer(timer, change, now);
    if (!row) return timer;
    return (await write(table, conversationId, [row])) ? { ...next, version: timer.version + 1 } : undefined;
  });
}

/**
 * Returns the timer after a change, and its write; no write if nothing changes.
 *
 * @throws WrongState if the timer is over.
 * @throws InvalidInput naming the field.
 */
export function changedTimer(
  timer: StoredTimer,
  change: TimerChange,
  now: Date,
): { next: StoredTimer; row?: RowWrite } {
  if (!isOpenTimer(timer)) throw new WrongState('The timer is over, so it cannot be changed.');
  const { paused = timer.status === 'paused', at, rule, ...own } = change;
  const isRecurring = timer.kind === 'repeat';
  if (at && isRecurring) throw new InvalidInput('at', 'the timer is recurring: change "cron" or "every"');
  if ((rule || own.overlap || own.catchUp || own.jitterSeconds !== undefined) && !isRecurring)
    throw new InvalidInput(rule ? 'cron' : 'overlap', 'the timer fires once: change "at"');
  if (own.text !== undefined && timer.kind === 'tool')
    throw new InvalidInput('text', 'the timer calls a tool: it has no text');
  if (at) checkAt(at, now);
  if (rule) checkRule(rule, now);
  const resumes = timer.status === 'paused' && !paused;
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  const set: StoredTimer = { ...timer, ...given, ...(rule && ruleFields(rule)), status: paused ? 'paused' : 'active' };
  checkJitter(ruleOf(set), set.jitterSeconds);
  const isMoved = at !== undefined || rule !== undefined || own.jitterSeconds !== undefined || resumes;
  const slot = isRecurring ? nextSlot(ruleOf(set), rule ? now : slotOf(timer), now) : (at ?? new Date(timer.nextAt));
  const moved: StoredTimer = { ...set, ...(isMoved && firingOf(set, slot)) };
  const next = isMoved && !paused ? restarted(moved, now) : moved;
  const stops = paused && timer.status === 'active';
  return withWrite(timer, stops ? { ...next, outbox: 'stop' } : next);
}

/** Returns the timer in its next segment, whose execution waits for the new time. The one before is stopped. */
const restarted = (timer: StoredTimer, now: Date): StoredTimer => ({
  ...timer,
  ...{ segment: timer.segment + 1, segmentStartedAt: now.toISOString(), segmentFired: 0, outbox: 'restart' },
});

const slotOf = ({ slotAt, nextAt }: StoredTimer): Date => new Date(slotAt ?? nextAt);

/** Returns the write of what differs, if its row has not changed meanwhile. */
function withWrite(before: StoredTimer, next: StoredTimer): { next: StoredTimer; row?: RowWrite } {
  const [from, to] = [timerRow(before), timerRow(next)] as Record<string, unknown>[];
  const changed = [...new Set([...Object.keys(from!), ...Object.keys(to!)])].filter(
    (name) => from![name] !== to![name],
  );
  if (changed.length === 0) return { next };
  const set = Object.fromEntries(changed.map((name) => [name, to![name]]));
  const remove = changed.filter((name) => to![name] === undefined);
  const row = { set: { ...set, ...listing(next) }, remove, onlyIf: { version: before.version } };
  return { next, row: { pk: key.conversation(next.conversationId), sk: key.timer(next.id), ...row } };
}

const noTimer = (timerId: string) => new NotFound(`There is no timer ${timerId} in this conversation.`);

/**
 * Cancels a timer. A timer that is finished or already cancelled does not change.
 *
 * @param by.user the owner that the conversation must have.
 * @param by.segment the segment that the timer must be in. An execution that has handed over cannot cancel it.
 * @returns the timer afterwards. If it has an `outbox`, the caller must stop its execution.
 * @throws NotFound if the conversation is not this user's or has no such timer.
 * @throws ConversationBusy if the timer's row keeps changing.
 */
export async function cancelTimer(
  table: Table,
  conversationId: string,
  timerId: string,
  by: { user?: string; segment?: number } = {},
): Promise<StoredTimer> {
  const { user, segment } = by;
  if (user !== undefined) await readOwnMeta(table, conversationId, user);
  return retryOnConflict(`The timer ${timerId} keeps changing.`, async () => {
    const timer = await readTimer(table, conversationId, timerId);
    if (!timer || (user !== undefined && !isArranged(timer))) throw noTimer(timerId);
    // The execution of a paused timer was stopped on purpose.
    const isOfSegment = segment === undefined || (timer.segment === segment && timer.status === 'active');
    if (!isOpenTimer(timer) || !isOfSegment) return timer;
    if (!(await write(table, conversationId, cancelTimerRows(timer)))) return undefined;
    return { ...timer, version: timer.version + 1, status: 'cancelled', outbox: 'stop' };
  });
}
