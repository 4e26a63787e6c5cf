import type { Agent } from '../agent/agent';
import { cancelTimerRow, isArranged, readTimer, ruleOf } from '../calls/timer';
import { append, type Incoming } from '../runs/append';
import { nextRun } from '../runs/run';
import { nextSlot } from '../state/schedule';
import { isOver } from '../state/schemas';
import { stretch, type TimerInput, type TimerOutput, timerExecution } from '../state/timer-state';
import { clockToleranceMs, longestWaitSeconds } from '../state/waiting';
import { key, type Meta, type StoredTimer } from '../store/rows';
import { type Change, changeConversation, readMeta, type Table } from '../store/table';
import type { RowWrite } from '../store/write';
import { nothingDelivered } from './expire';
import { firedMessage } from './fired-message';

/** Each firing costs at most some 100 events of an execution's 25,000, were every attempt to fail. */
export const firingsPerExecution = 100;

/**
 * Fires a timer that is due: its message comes into the conversation, where it starts, wakes or feeds a run. Slots that were
 * missed collapse into one, and the message says so. Message and timer change in one transaction, so that it fires once however
 * often this is called.
 */
export async function fireTimer(
  table: Table,
  agents: ReadonlyMap<string, Agent>,
  input: TimerInput,
  now: Date,
): Promise<TimerOutput> {
  const { conversationId } = input;
  const done: TimerOutput = { ...input, next: 'done' };
  if (!(await readMeta(table, conversationId))) return done;
  const decide = async (meta: Meta): Promise<Change<TimerOutput>> => {
    const timer = await readTimer(table, conversationId, input.timerId);
    if (timer?.status !== 'active') return { answer: done };
    // An earlier attempt handed over and died before it could say so.
    if (timer.segment === input.segment + 1 && timer.outbox === 'start') return { answer: goOnAs(input, timer) };
    if (timer.segment !== input.segment) return { answer: done };
    // Made by a tool that was at work while the conversation was deleted.
    if (!meta.owner) return { rows: [cancelTimerRow(timer)], answer: done };
    if (Date.parse(timer.nextAt) > now.getTime() + clockToleranceMs) return waitOn(input, timer, now);
    // Nobody has read the last one yet: it stands for this one too. Else a conversation that waits would fill up without end.
    if (isUnread(meta, timer))
      return fire(input, { ...timer, fired: timer.fired - 1 }, { meta: begun(meta, now), rows: [] }, now);
    const told = isArranged(timer) ? { message: firedMessage(timer, now) } : await nothingDelivered(table, timer, now);
    return fire(input, timer, tell(agents, meta, told, now), now);
  };
  return changeConversation(table, conversationId, decide);
}

const isUnread = ({ pending, queued = [] }: Meta, { kind, lastSeq }: StoredTimer): boolean =>
  kind === 'repeat' && lastSeq !== undefined && (pending.includes(lastSeq) || queued.includes(lastSeq));

/** A run that ended before it read the message, for example for want of budget, does not silence the timer for ever. */
const begun = (meta: Meta, now: Date): Meta => (meta.run && isOver(meta.run.status) ? nextRun(meta, now) : meta);

function tell(
  agents: ReadonlyMap<string, Agent>,
  meta: Meta,
  { message, rows = [] }: { message?: Incoming; rows?: RowWrite[] },
  now: Date,
) {
  if (!message) return { meta, rows, seq: undefined };
  const told = append(meta, message, now, wayOf(agents, meta));
  return { meta: told.meta, rows: [...told.rows, ...rows], seq: told.message.seq };
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
    const row = { sk: key.timer(timer.id), set, remove: ['outbox'], onlyIf: { version: timer.version } };
    return { meta, rows: [...rows, row], answer: { ...input, next: 'done' } };
  }
  const change = goOn(input, { ...fired, nextAt, outbox: undefined }, now);
  return { meta, rows: [...rows, ...change.rows], answer: change.answer };
}

/** Woken before it is due, it waits on. Nothing has changed, unless its execution is to end. */
function waitOn(input: TimerInput, timer: StoredTimer, now: Date): Change<TimerOutput> {
  const change = goOn(input, timer, now);
  return change.answer.next === 'continue' ? change : { answer: change.answer };
}

/** It waits for its next time, in another execution if this one has lived or done enough. */
function goOn(input: TimerInput, timer: StoredTimer, now: Date) {
  const isOld = now.getTime() >= Date.parse(timer.segmentStartedAt) + longestWaitSeconds * 1_000 - clockToleranceMs;
  const handsOver = isOld || timer.segmentFired >= firingsPerExecution;
  const next: StoredTimer = handsOver
    ? { ...timer, segment: timer.segment + 1, segmentStartedAt: now.toISOString(), segmentFired: 0, outbox: 'start' }
    : timer;
  const { nextAt, fired, segment, segmentStartedAt, segmentFired, lastSeq, outbox } = next;
  const set = { nextAt, fired, segment, segmentStartedAt, segmentFired, lastSeq, outbox };
  const remove = outbox ? [] : ['outbox'];
  const row = { sk: key.timer(timer.id), set, remove, onlyIf: { version: timer.version } };
  return { rows: [row], answer: goOnAs(input, next) };
}

/** What FireTimer answers for a timer that is stored like that: it waits, in this execution or in the next one. */
function goOnAs(input: TimerInput, timer: StoredTimer): TimerOutput {
  const at = stretch(timer, timer.nextAt);
  if (timer.segment === input.segment) return { ...input, at, next: 'wait' };
  const { segment } = timer;
  return { ...input, at, segment, next: 'continue', execution: timerExecution(timer.id, segment) };
}

/** Of a recurring timer, the first slot that is still to come: those before it collapse into the one that fires now. */
function slotAfter(timer: StoredTimer, now: Date): string | undefined {
  if (timer.kind !== 'repeat') return undefined;
  const due = new Date(timer.nextAt);
  return nextSlot(ruleOf(timer), due, due > now ? due : now)?.toISOString();
}

/** A timer cannot be refused, and cuts nobody off. */
const wayOf = (agents: ReadonlyMap<string, Agent>, { run, agent }: Meta) =>
  agents.get(run?.agent ?? agent)?.onMessage === 'queue' ? 'queue' : 'merge';
