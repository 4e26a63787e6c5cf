import { isOver } from '../../base/state/schemas';
import { stretch, type TimerInput, type TimerOutput, timerExecution } from '../../base/state/timer-state';
import { clockToleranceMs, longestWaitSeconds } from '../../base/state/waiting';
import { missedSlots, nextSlot } from '../../base/time/schedule';
import { inZone } from '../../base/time/time-zone';
import type { Agent } from '../../conversations/agent/agent';
import {
  cancelTimerRows,
  isArranged,
  listing,
  noLongerCounted,
  readTimer,
  ruleOf,
} from '../../conversations/calls/timer';
import { key } from '../../conversations/rows/keys';
import type { Meta } from '../../conversations/rows/meta';
import type { StoredTimer } from '../../conversations/rows/rows';
import { append, type Incoming } from '../../conversations/runs/append';
import { nextRun } from '../../conversations/runs/run';
import { type Change, changeConversation } from '../../conversations/store/change-conversation';
import { readShownMeta, type Table, write } from '../../conversations/store/table';
import type { RowWrite } from '../../conversations/store/write';
import { expireWebhook } from './expire';

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
  const late =
    now.getTime() - Date.parse(timer.nextAt) > lateMs ? ` (This comes late: it is ${inZone(now, zone)}.)` : '';
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

const ruleText = ({ rule, timeZone }: StoredTimer): string => (timeZone ? `${rule} ${timeZone}` : `${rule}`);

/** Returns a note about missed slots, which collapse into one firing. */
function missed(timer: StoredTimer, now: Date, zone?: string): string {
  const count = missedSlots(ruleOf(timer), new Date(timer.nextAt), now, mostCounted);
  if (count === 0) return '';
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
    if (timer.segment === input.segment + 1 && timer.outbox === 'start') return { answer: goOnAs(input, timer) };
    if (timer.segment !== input.segment) return { answer: done };
    // A tool that was running while the conversation was deleted has created this timer.
    if (!meta.owner) return { rows: cancelTimerRows(timer), answer: done };
    if (Date.parse(timer.nextAt) > now.getTime() + clockToleranceMs) return waitOn(input, timer, now);
    // The last message of this timer is still unread and stands for this firing too. Otherwise, unread messages would pile up.
    if (isUnread(meta, timer))
      return fire(input, { ...timer, fired: timer.fired - 1 }, { meta: begun(meta, now), rows: [] }, now);
    const news = isArranged(timer)
      ? { message: firedMessage(timer, now, meta.timeZone) }
      : await expireWebhook(table, timer, now);
    return fire(input, timer, tell(agents, meta, news, now), now);
  };
  return changeConversation(table, conversationId, decide);
}

/** Cancels a timer of a deleted conversation. META is left to those who sweep it. */
async function endTimer(table: Table, input: TimerInput): Promise<TimerOutput> {
  const timer = await readTimer(table, input.conversationId, input.timerId);
  if (timer?.status === 'active') await write(table, input.conversationId, cancelTimerRows(timer));
  return { ...input, next: 'done' };
}

const isUnread = ({ pending, queued = [] }: Meta, { kind, lastSeq }: StoredTimer): boolean =>
  kind === 'repeat' && lastSeq !== undefined && (pending.includes(lastSeq) || queued.includes(lastSeq));

/** Starts a run if the last one ended before it read the message, for example at a limit. Otherwise the timer would stay silent. */
const begun = (meta: Meta, now: Date): Meta => (meta.run && isOver(meta.run.status) ? nextRun(meta, now) : meta);

function tell(
  agents: ReadonlyMap<string, Agent>,
  meta: Meta,
  { message, rows = [] }: { message?: Incoming; rows?: RowWrite[] },
  now: Date,
) {
  if (!message) return { meta, rows, seq: undefined };
  const appended = append(meta, message, now, wayOf(agents, meta));
  return { meta: appended.meta, rows: [...appended.rows, ...rows], seq: appended.message.seq };
}

function fire(
  input: TimerInput,
  timer: StoredTimer,
  { meta, rows, seq }: { meta: Meta; rows: RowWrite[]; seq?: number },
  now: Date,
): Change<TimerOutput> {
  const lastSeq = seq ?? timer.lastSeq;
  const fired = { ...timer, fired: timer.fired + 1, segmentFired: timer.segmentFired + 1, lastSeq };
  const nextAt = slotAfter(timer, now);
  if (!nextAt) {
    const set = { fired: fired.fired, segmentFired: fired.segmentFired, status: 'done' };
    const row = { sk: key.timer(timer.id), set, remove: ['outbox', 'openFor'], onlyIf: { version: timer.version } };
    return { meta, rows: [...rows, row, ...noLongerCounted(timer)], answer: { ...input, next: 'done' } };
  }
  const change = goOn(input, { ...fired, nextAt, outbox: undefined }, now);
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
  const next: StoredTimer = handsOver
    ? { ...timer, segment: timer.segment + 1, segmentStartedAt: now.toISOString(), segmentFired: 0, outbox: 'start' }
    : timer;
  const { nextAt, fired, segment, segmentStartedAt, segmentFired, lastSeq, outbox } = next;
  const set = { nextAt, fired, segment, segmentStartedAt, segmentFired, lastSeq, outbox, ...listing(next) };
  const remove = outbox ? [] : ['outbox'];
  const row = { sk: key.timer(timer.id), set, remove, onlyIf: { version: timer.version } };
  return { rows: [row], answer: goOnAs(input, next) };
}

/** Returns FireTimer's answer for the stored timer: to wait, in this execution or the next one. */
function goOnAs(input: TimerInput, timer: StoredTimer): TimerOutput {
  const at = stretch(timer, timer.nextAt);
  if (timer.segment === input.segment) return { ...input, at, next: 'wait' };
  const { segment } = timer;
  return { ...input, at, segment, next: 'continue', execution: timerExecution(timer.id, segment) };
}

/** Returns a recurring timer's first future slot. Earlier slots collapse into the current firing. */
function slotAfter(timer: StoredTimer, now: Date): string | undefined {
  if (timer.kind !== 'repeat') return undefined;
  const due = new Date(timer.nextAt);
  return nextSlot(ruleOf(timer), due, due > now ? due : now)?.toISOString();
}

/** A timer's message is never rejected and never interrupts the model. */
const wayOf = (agents: ReadonlyMap<string, Agent>, { run, agent }: Meta) =>
  agents.get(run?.agent ?? agent)?.onMessage === 'queue' ? 'queue' : 'merge';
