import type { Agent } from './agent';
import { missedSlots, nextSlot, type Rule } from './schedule';
import { append, type Incoming } from './store/append';
import { key, type Meta, type StoredTimer } from './store/rows';
import { type Change, changeConversation, readMeta, type Table, whileRowsChange } from './store/table';
import { readTimer } from './store/timer';
import type { RowWrite } from './store/write';
import { type TimerInput, type TimerOutput, timerExecution } from './timer-state';

/** A Wait state may end a little before the time, by this process's clock. */
const toleranceMs = 5_000;
/** An execution lives a year, and each firing costs at most some 200 events of its 25,000, were every attempt to fail. */
const longestStretchMs = 300 * 86_400_000;
const firingsPerExecution = 100;

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
    if (timer.segment === input.segment + 1 && timer.outbox === 'start') return { answer: handOver(input, timer) };
    if (timer.segment !== input.segment) return { answer: done };
    if (Date.parse(timer.nextAt) > now.getTime() + toleranceMs) return goOn(input, timer, now);
    const { rows, meta: told } = append(meta, messageOf(timer, now), now, wayOf(agents, meta));
    return { meta: told, rows: [...rows, firedRow(timer, now)], answer: afterFiring(input, timer, now) };
  };
  return whileRowsChange(() => changeConversation(table, conversationId, decide));
}

/** Not due: it waits, in another execution if this one has lived or done enough. */
function goOn(input: TimerInput, timer: StoredTimer, now: Date): Change<TimerOutput> {
  const stretchEnds = Date.parse(timer.segmentStartedAt) + longestStretchMs;
  if (now.getTime() < stretchEnds - toleranceMs && timer.segmentFired < firingsPerExecution)
    return { answer: waitFor(input, timer, timer.nextAt) };
  const segment = timer.segment + 1;
  const set = { segment, segmentStartedAt: now.toISOString(), segmentFired: 0, outbox: 'start' };
  const row: RowWrite = { sk: key.timer(timer.id), set, onlyIf: { version: timer.version } };
  return { rows: [row], answer: handOver(input, { ...timer, segment, segmentStartedAt: now.toISOString() }) };
}

const handOver = (input: TimerInput, timer: StoredTimer): TimerOutput => ({
  ...waitFor(input, timer, timer.nextAt),
  segment: timer.segment,
  next: 'continue',
  execution: timerExecution(timer.id, timer.segment),
});

const waitFor = (input: TimerInput, timer: StoredTimer, nextAt: string): TimerOutput => ({
  ...input,
  at: stretch(timer, nextAt),
  next: 'wait',
});

/** The time until which an execution may wait at once. */
export function stretch({ segmentStartedAt }: StoredTimer, nextAt: string): string {
  const end = new Date(Date.parse(segmentStartedAt) + longestStretchMs).toISOString();
  return nextAt < end ? nextAt : end;
}

const ruleOf = ({ rule, timeZone, everySeconds }: StoredTimer): Rule =>
  everySeconds === undefined ? { cron: rule, timeZone } : { everySeconds };

function slotAfter(timer: StoredTimer, now: Date): string | undefined {
  if (timer.kind !== 'repeat') return undefined;
  const after = new Date(Math.max(now.getTime(), Date.parse(timer.nextAt)));
  return nextSlot(ruleOf(timer), new Date(timer.createdAt), after)?.toISOString();
}

function firedRow(timer: StoredTimer, now: Date): RowWrite {
  const nextAt = slotAfter(timer, now);
  const counted = { fired: timer.fired + 1, segmentFired: timer.segmentFired + 1 };
  const set = nextAt ? { ...counted, nextAt } : { ...counted, status: 'done' };
  return { sk: key.timer(timer.id), set, remove: ['outbox'], onlyIf: { version: timer.version } };
}

function afterFiring(input: TimerInput, timer: StoredTimer, now: Date): TimerOutput {
  const nextAt = slotAfter(timer, now);
  return nextAt ? waitFor(input, timer, nextAt) : { ...input, next: 'done' };
}

/** A timer cannot be refused, and cuts nobody off. */
const wayOf = (agents: ReadonlyMap<string, Agent>, { run, agent }: Meta) =>
  agents.get(run?.agent ?? agent)?.onMessage === 'queue' ? 'queue' : 'merge';

function messageOf(timer: StoredTimer, now: Date): Incoming {
  const from = { role: 'system' as const, about: timer.callId };
  if (timer.kind === 'once')
    return { ...from, author: 'remind_later', text: `⏰ Due now, as arranged on ${timer.createdAt}: ${timer.text}` };
  if (timer.kind === 'tool') {
    const scheduled = { tool: timer.tool!, arguments: JSON.stringify(timer.arguments ?? {}) };
    const text = `⏰ Due now, as arranged on ${timer.createdAt}: the tool ${timer.tool} is called.`;
    return { ...from, author: 'run_later', text, scheduled };
  }
  const missed = missedSlots(ruleOf(timer), new Date(timer.createdAt), new Date(timer.nextAt), now);
  const collapsed =
    missed > 0 ? ` (${missed} more of its times have passed meanwhile; this one stands for all of them.)` : '';
  return { ...from, author: 'repeat', text: `🔁 Due now (${timer.rule}): ${timer.text}${collapsed}` };
}
