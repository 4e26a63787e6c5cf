// core/machines/timers: what happens when a timer is due.

import { isOver } from '../../base/state/schemas';
import { stretch, type TimerInput, type TimerOutput, timerExecution } from '../../base/state/timer-state';
import type { Counts } from '../../base/state/user-limits';
import { clockToleranceMs, longestWaitSeconds } from '../../base/state/waiting';
import { WrongState } from '../../base/text/errors';
import { firingOf, missedSlots, nextSlot } from '../../base/time/schedule';
import { inZone } from '../../base/time/time-zone';
import type { Agent } from '../../conversations/agent/agent';
import {
  cancelTimerRows,
  inSegment,
  isArranged,
  isOpenTimer,
  listing,
  noLongerCounted,
  readArranged,
  readTimer,
  ruleOf,
  slotOf,
  waitFor,
} from '../../conversations/calls/timer';
import { hasMostUnread, mostUnread } from '../../conversations/conversation/send-message';
import { checkOwner, readMetaFor } from '../../conversations/members/role';
import { key } from '../../conversations/rows/keys';
import type { Meta } from '../../conversations/rows/meta';
import type { StoredTimer } from '../../conversations/rows/rows';
import { append, type Incoming } from '../../conversations/runs/append';
import { keyOfSent, seqOfRepeated } from '../../conversations/runs/once';
import { nextRun } from '../../conversations/runs/run';
import { type Change, changeConversation } from '../../conversations/store/change-conversation';
import { readShownMeta, type Table, write } from '../../conversations/store/table';
import type { RowWrite } from '../../conversations/store/write';
import { fireForCallback, type Unseen } from './expire';

/** A message that is later than this says so. */
const lateMs = 60_000;
/** The most missed slots that are counted. */
const mostCounted = 1_000;

/**
 * @param zone the user's time zone.
 *
 * Returns the message of a timer that fires, for people and for the model. It says when the timer was due and, if it is late, the
 * current time, because the model does not know how much time has passed.
 */
function firedMessage(timer: StoredTimer, now: Date, zone?: string): Incoming {
  const { kind, callId, author, text = '', sources } = timer;
  const nextAt = inZone(timer.nextAt, zone);
  const from = { role: 'system' as const, author, about: callId, sources };
  const late = isLate(timer, now) ? ` (This comes late: it is ${inZone(now, zone)}.)` : '';
  const arranged = `⏰ Due at ${nextAt}, as arranged at ${inZone(timer.createdAt, zone)}:`;
  if (kind === 'once') return { ...from, text: `${arranged} ${text}${late}` };
  if (kind === 'repeat')
    return {
      ...from,
      text: `🔁 Due at ${nextAt} (${ruleText(timer)}): ${text}${missed(timer, now, zone) || late}`,
    };
  const scheduled = { tool: timer.tool!, arguments: JSON.stringify(timer.arguments ?? {}) };
  return { ...from, text: `${arranged} the tool ${timer.tool} is called.${late}`, scheduled };
}

/** The most missed times that each have a firing. */
const mostCaughtUp = 100;

/** Whether a timer that is late fires for each of the times that have passed. */
const firesForEach = (timer: StoredTimer, now: Date): boolean =>
  timer.catchUp === 'all' && missedBy(timer, now) <= mostCaughtUp;

const ruleText = ({ rule, timeZone }: StoredTimer): string => (timeZone ? `${rule} ${timeZone}` : `${rule}`);

const isLate = ({ nextAt }: StoredTimer, now: Date): boolean => now.getTime() - Date.parse(nextAt) > lateMs;

const missedBy = (timer: StoredTimer, now: Date): number => missedSlots(ruleOf(timer), slotOf(timer), now, mostCounted);

/** Returns a note about missed slots, which collapse into one firing. */
function missed(timer: StoredTimer, now: Date, zone?: string): string {
  const count = missedBy(timer, now);
  if (count === 0 || firesForEach(timer, now)) return '';
  const many = count < mostCounted ? `${count}` : `At least ${count}`;
  return ` (${many} more of its times have passed meanwhile; this one stands for all of them. It is ${inZone(now, zone)}.)`;
}

/** A firing adds at most 219 events to an execution's 25,000, if all attempts are used. */
export const firingsPerExecution = 80;

/**
 * Fires a timer that is due: appends its message, which starts a run, wakes it or joins it. Missed slots collapse into one firing,
 * and the message says so. Message and timer change in one transaction, so a due timer fires once even if this is repeated.
 */
export async function fireTimer(
  table: Table,
  agents: ReadonlyMap<string, Agent>,
  input: TimerInput,
  now: Date,
): Promise<TimerOutput> {
  const { conversationId } = input;
  const done: TimerOutput = { ...input, next: 'done' };
  const conversation = await readShownMeta(table, conversationId);
  if (!conversation) return done;
  if (conversation.deletedFor !== undefined) return endTimer(table, input);
  const decide = async (meta: Meta): Promise<Change<TimerOutput>> => {
    const timer = await readTimer(table, conversationId, input.timerId);
    if (timer?.status !== 'active') return { answer: done };
    // An earlier attempt committed the hand-over and died before it answered.
    if (timer.segment === input.segment + 1) return { answer: goOnAs(input, timer) };
    if (timer.segment !== input.segment) return { answer: done };
    // A tool that was running while the conversation was deleted has created this timer.
    if (!meta.owner) return { rows: cancelTimerRows(timer), answer: done };
    if (Date.parse(timer.nextAt) > now.getTime() + clockToleranceMs) return waitOn(input, timer, now);
    if (isLeftOut(meta, timer, now)) {
      const left = firesForEach(timer, now) ? 1 : missedBy(timer, now) + 1;
      return afterFiring(input, { ...timer, skipped: (timer.skipped ?? 0) + left }, { meta, rows: [] }, now);
    }
    if (isCovered(meta, timer)) return afterFiring(input, timer, { meta: begun(meta, now), rows: [] }, now);
    const news: Unseen = isArranged(timer)
      ? { message: firedMessage(timer, now, meta.timeZone), rows: [] }
      : await fireForCallback(table, timer, now);
    const told = tell(agents, meta, timer, news, now);
    const fired = { ...timer, fired: timer.fired + 1, lastSeq: told.seq ?? timer.lastSeq };
    return afterFiring(input, fired, told, now, news.next);
  };
  return changeConversation(table, conversationId, decide);
}

/**
 * Fires a recurring timer at once, and once for each `clientMessageId`. Its next time stays.
 *
 * @returns the timer, and META.
 * @throws NotFound if the conversation is not this user's or has no such timer.
 * @throws WrongState if the timer is over or fires once, or too many messages are unread.
 * @throws LimitReached if it would start a run and the user has too many.
 */
export async function runTimer(
  table: Table,
  agents: ReadonlyMap<string, Agent>,
  asked: { conversationId: string; timerId: string; user: string; clientMessageId?: string },
  now: Date,
  atMost?: Partial<Counts>,
): Promise<{ timer: StoredTimer; meta: Meta }> {
  const { conversationId, timerId, user, clientMessageId } = asked;
  const read = () => readArranged(table, conversationId, timerId);
  const once = clientMessageId === undefined ? undefined : { by: user, id: clientMessageId, content: { timerId } };
  const decide = async (meta: Meta): Promise<Change<{ timer: StoredTimer; meta: Meta }>> => {
    checkOwner(meta, user);
    const timer = await read();
    if (!isOpenTimer(timer)) throw new WrongState('The timer is over, so it cannot be run.', { kind: 'timer-over' });
    if (timer.kind !== 'repeat')
      throw new WrongState('The timer fires once: change its time instead.', { kind: 'timer-fires-once' });
    if (hasMostUnread(meta))
      throw new WrongState('Too many messages are unread. Wait until the agent has read them.', {
        kind: 'too-many-unread',
        values: { most: mostUnread },
      });
    const { author, text, sources, callId: about } = timer;
    const message: Incoming = {
      role: 'system',
      author,
      about,
      sources,
      clientMessageId,
      once,
      text: `🔁 Run by hand at ${inZone(now, meta.timeZone)} (${ruleText(timer)}): ${text}`,
    };
    const told = tell(agents, meta, timer, { message }, now);
    const next = { ...timer, fired: timer.fired + 1, lastSeq: told.seq, version: timer.version + 1 };
    const { fired, lastSeq, version } = next;
    const row: RowWrite = { sk: key.timer(timerId), set: { fired, lastSeq }, onlyIf: { version: version - 1 } };
    return { meta: told.meta, rows: [...told.rows, row], answer: { timer: next, meta: told.meta } };
  };
  try {
    return await changeConversation(table, conversationId, decide, {
      atMost,
      throwsAt: (sk) => once !== undefined && sk === keyOfSent(once),
    });
  } catch (error) {
    await seqOfRepeated(table, conversationId, once, error);
    return { timer: await read(), meta: await readMetaFor(table, conversationId, user, 'owner') };
  }
}

/** Cancels a timer of a deleted conversation. META is left to those who sweep it. */
async function endTimer(table: Table, input: TimerInput): Promise<TimerOutput> {
  const timer = await readTimer(table, input.conversationId, input.timerId);
  if (timer && isOpenTimer(timer)) await write(table, input.conversationId, cancelTimerRows(timer));
  return { ...input, next: 'done' };
}

/** Whether the timer's policies leave this time out. */
const isLeftOut = ({ run }: Meta, timer: StoredTimer, now: Date): boolean =>
  (timer.overlap === 'skip' && run !== undefined && !isOver(run.status)) ||
  (timer.catchUp === 'skip' && isLate(timer, now));

/** Whether the last message of this timer, which is still unread, stands for this firing too. Otherwise, unread messages would pile up. */
const isCovered = (meta: Meta, { kind, lastSeq, overlap }: StoredTimer): boolean =>
  kind === 'repeat' &&
  (overlap === 'queue'
    ? hasMostUnread(meta)
    : lastSeq !== undefined && (meta.pending.includes(lastSeq) || meta.queued?.includes(lastSeq) === true));

/** Starts a run if the last one ended before it read the message, for example at a limit. Otherwise the timer would stay silent. */
const begun = (meta: Meta, now: Date): Meta => (meta.run && isOver(meta.run.status) ? nextRun(meta, now) : meta);

function tell(
  agents: ReadonlyMap<string, Agent>,
  meta: Meta,
  timer: StoredTimer,
  { message, rows = [] }: { message?: Incoming; rows?: RowWrite[] },
  now: Date,
) {
  if (!message) return { meta, rows, seq: undefined };
  const appended = append(meta, message, now, timer.overlap === 'queue' ? 'queue' : wayOf(agents, meta));
  return { meta: appended.meta, rows: [...appended.rows, ...rows], seq: appended.message.seq };
}

/**
 * Returns the change after a time of the timer: it waits for the next one, or is done.
 *
 * @param again when a timer of a callback is due again.
 */
function afterFiring(
  input: TimerInput,
  timer: StoredTimer,
  { meta, rows }: { meta: Meta; rows: RowWrite[] },
  now: Date,
  again?: Date,
): Change<TimerOutput> {
  const next = { ...timer, segmentFired: timer.segmentFired + 1 };
  const due = again ? { nextAt: again.toISOString() } : nextFiring(timer, now);
  if (!due) {
    const { fired, segmentFired, lastSeq } = next;
    const set = { fired, segmentFired, lastSeq, status: 'done' };
    const row = { sk: key.timer(timer.id), set, remove: ['openFor'], onlyIf: { version: timer.version } };
    return { meta, rows: [...rows, row, ...noLongerCounted(timer)], answer: { ...input, next: 'done' } };
  }
  const change = goOn(input, { ...next, ...due }, now);
  return { meta, rows: [...rows, ...change.rows], answer: change.answer };
}

/** Continues to wait after an early wake-up. Nothing changes, unless the execution hands over. */
function waitOn(input: TimerInput, timer: StoredTimer, now: Date): Change<TimerOutput> {
  const change = goOn(input, timer, now);
  return change.answer.next === 'continue' ? change : { answer: change.answer };
}

/** Waits for the next slot, in another execution if this one is too old or has fired too often. */
function goOn(input: TimerInput, timer: StoredTimer, now: Date) {
  const isOld = now.getTime() >= Date.parse(timer.segmentStartedAt) + longestWaitSeconds * 1_000 - clockToleranceMs;
  const handsOver = isOld || timer.segmentFired >= firingsPerExecution;
  const next: StoredTimer = handsOver ? { ...timer, ...inSegment(timer.segment + 1, now) } : timer;
  const { nextAt, slotAt, fired, skipped, segment, segmentStartedAt, segmentFired, lastSeq } = next;
  const counts = { fired, skipped, segmentFired };
  const set = { nextAt, slotAt, ...counts, segment, segmentStartedAt, lastSeq, ...listing(next) };
  const row = { sk: key.timer(timer.id), set, onlyIf: { version: timer.version } };
  return { rows: handsOver ? [row, waitFor(next)] : [row], answer: goOnAs(input, next) };
}

/** Returns FireTimer's answer for the stored timer: to wait, in this execution or the next one. */
function goOnAs(input: TimerInput, timer: StoredTimer): TimerOutput {
  const at = stretch(timer, timer.nextAt);
  if (timer.segment === input.segment) return { ...input, at, next: 'wait' };
  const { segment } = timer;
  return { ...input, at, segment, next: 'continue', execution: timerExecution(timer.id, segment) };
}

/** Returns when a recurring timer fires next: at its first future slot. Earlier slots collapse into the current firing. */
function nextFiring(timer: StoredTimer, now: Date): Pick<StoredTimer, 'nextAt' | 'slotAt'> | undefined {
  if (timer.kind !== 'repeat') return undefined;
  const slot = slotOf(timer);
  const after = slot > now || firesForEach(timer, now) ? slot : now;
  return firingOf(timer, nextSlot(ruleOf(timer), slot, after));
}

/** A timer's message is never rejected and never interrupts the model. */
const wayOf = (agents: ReadonlyMap<string, Agent>, { run, agent }: Meta) =>
  agents.get(run?.agent ?? agent)?.onMessage === 'queue' ? 'queue' : 'merge';
