import type { Tool } from '../agent/tool';
import { readCall, readCallsOfStep } from '../calls/call';
import { effectOf, transition } from '../calls/call-state';
import { type CallOutcome, settleCall } from '../calls/settle';
import { unknownOutcome } from '../calls/unknown-outcome';
import { isAsking, onlyWaits, refId, routeCalls, statusWith } from '../decisions/route';
import { nextSegment } from '../runs/run';
import {
  type CaughtError,
  errorOf,
  isAnswered,
  type LoopInput,
  type LoopOutput,
  refIn,
  type SegmentInput,
} from '../state/loop-state';
import { isActive, isSettled } from '../state/schemas';
import { clockToleranceMs } from '../state/waiting';
import type { StoredCall, StoredCallback, StoredRun } from '../store/rows';
import { changeConversation, type Table } from '../store/table';
import { errorWords } from '../text/caught-error';
import { ConfigurationError, ToolTerminal } from '../text/errors';
import { finishCallback, finishQuestion } from './open-question';

const attemptsToSettle = 10;

/**
 * Finishes what the run's last step left open, before the model is asked for more: a wait whose time has come or
 * that a message interrupts, a call that its state gave up on. What is still to be done is handed out again.
 *
 * @returns where the loop goes instead of to the model; undefined when nothing is open.
 * @throws ToolTerminal, ConfigurationError for a call that ends the run.
 */
export async function finishOpenCalls(
  table: Table,
  input: LoopInput,
  run: StoredRun,
  { tools, now }: { tools: ReadonlyMap<string, Tool>; now: Date },
): Promise<LoopOutput | undefined> {
  const at: SegmentInput = {
    conversationId: input.conversationId,
    runId: input.runId,
    segment: input.segment,
    step: run.step,
  };
  const kind = run.next?.next;
  if (!kind || kind === 'done') return undefined;
  const calls = await readCallsOfStep(table, at.conversationId, run.id, run.step);
  if (kind === 'callback' && calls.length === 0) {
    const { segmentStartedAt, next } = run;
    return finishQuestion(table, input, at, { callbackId: next!.call!.callId, segmentStartedAt, now });
  }

  const open: StoredCall[] = [];
  const callbacks: StoredCallback[] = [];
  const outcomeNow = (call: StoredCall) => outcomeOf(call, input, { run, tools, now });
  let fatal: Error | undefined;
  for (const call of calls.filter(({ status }) => !isSettled(status))) {
    const ending = fatalErrorOf(call, input);
    fatal ??= ending;
    if (ending) continue;
    const outcome = outcomeNow(call);
    const callback = isAsking(call) ? await finishCallback(table, input, { call, tools, now }) : undefined;
    if (outcome) await settleForGood(table, at.conversationId, call, outcomeNow, now);
    else if (isAsking(call) && !callback) open.push(...(await unsettled(table, at.conversationId, call.id)));
    else open.push(call);
    if (callback) callbacks.push(callback);
  }
  // Only now: what became of the other calls is known, whether the run is retried or not.
  if (fatal) throw fatal;
  if (!(await showOpen(table, at, open))) {
    for (const call of open) await settleForGood(table, at.conversationId, call, (one) => interrupted(one, now), now);
    return undefined;
  }
  const again = routeCalls(open, { callbacks, segmentStartedAt: run.segmentStartedAt, now });
  if (!again) return undefined;
  // What this execution has been through in vain goes on in the next one: a wait that outlives an execution's year, and
  // a tool that its definition does not know yet.
  const inVain = open.some((call) => wasServed(input, call));
  return inVain ? nextSegment(table, at, now) : { ...at, ...again };
}

/** A call that was answered in this moment may have been approved: then it is still to be made. */
async function unsettled(table: Table, conversationId: string, callId: string): Promise<StoredCall[]> {
  const call = await readCall(table, conversationId, callId);
  return call && !isSettled(call.status) ? [call] : [];
}

/** Whether the state that serves the call as it is now has just been left. An approved call has been to another one before. */
function wasServed(input: LoopInput, call: StoredCall): boolean {
  const ref = refIn(input, refId(call));
  return ref !== undefined && isAnswered(ref) === isAsking(call);
}

/**
 * Shows what the run is about now. It does not fall asleep while a message is there that nobody has seen: one that comes
 * later finds a sleeper, and wakes it.
 *
 * @returns false if it must not sleep.
 */
const showOpen = (table: Table, at: SegmentInput, open: StoredCall[]): Promise<boolean> =>
  changeConversation<boolean>(table, at.conversationId, (meta) => {
    const { run, pending } = meta;
    // Cancelled or ended in this moment, it stays so.
    const ours = run?.id === at.runId && run.segment === at.segment && isActive(run.status);
    if (onlyWaits(open) && pending.length > 0) return { answer: false };
    const shown = statusWith(open);
    if (open.length === 0 || !ours || (run.status === shown.status && meta.waitsFor === shown.waitsFor))
      return { answer: true };
    return { meta: { ...meta, ...shown, run: { ...run, ...shown } }, answer: true };
  });

/** A new message comes before sleep: the model reads it next, and may go back to sleep until the same time. */
const interrupted = ({ until }: StoredCall, now: Date): CallOutcome => ({
  status: 'completed',
  result:
    `Interrupted: the time ${until} has not come; it is ${now.toISOString()}. A new message has come and follows. ` +
    `Attend to it first. If what you were waiting for still stands, call the tool again with the same time.`,
});

/** An attempt that its state gave up on may still begin while we look: then its outcome is another one, by what is there now. */
async function settleForGood(
  table: Table,
  conversationId: string,
  call: StoredCall,
  outcomeFor: (call: StoredCall) => CallOutcome | undefined,
  now: Date,
): Promise<void> {
  let current: StoredCall | undefined = call;
  for (let attempt = 0; current && !isSettled(current.status) && attempt < attemptsToSettle; attempt++) {
    const outcome = outcomeFor(current);
    if (!outcome || (await settleCall(table, conversationId, current, outcome, { now }))) return;
    current = await readCall(table, conversationId, call.id);
  }
}

/** What the call's state gave up with. What AwaitCallback gave up on is the callback's affair. */
function caughtBy(call: StoredCall, input: LoopInput): CaughtError | undefined {
  const ref = refIn(input, call.id);
  return ref && isAnswered(ref) ? undefined : errorOf(input, call.id);
}

/** What ends the run. Its call stays open: a retry makes it again. */
function fatalErrorOf(call: StoredCall, input: LoopInput): Error | undefined {
  const error = caughtBy(call, input);
  const words = error && (call.error ?? errorWords(error));
  if (error?.Error === 'ToolTerminal') return new ToolTerminal(words);
  return error?.Error === 'ConfigurationError' ? new ConfigurationError(words) : undefined;
}

function outcomeOf(
  call: StoredCall,
  input: LoopInput,
  { run, tools, now }: { run: StoredRun; tools: ReadonlyMap<string, Tool>; now: Date },
): CallOutcome | undefined {
  const error = caughtBy(call, input);
  if (error) {
    const words = call.error ?? errorWords(error);
    if (error.Error === 'NoSuchTool') {
      // The definition may be older than the tool: a new execution takes the newest one. Where that has been tried, it is gone.
      const fresh = run.segmentEvents === 0;
      if (tools.has(call.tool) && !fresh) return undefined;
      return { status: 'failed', error: `The tool "${call.tool}" is not part of this deployment.` };
    }
    const given = transition(call, 'give-up', effectOf(tools, call));
    if (given?.status !== 'unknown') return { status: 'failed', error: words };
    return { status: 'unknown', error: `${words} ${unknownOutcome(tools.get(call.tool))}` };
  }
  if (call.status !== 'waiting' || !call.until) return undefined;
  const late = now.getTime() - Date.parse(call.until);
  if (late < (refIn(input, call.id) ? -clockToleranceMs : 0)) return undefined;
  const woke = `The time has come: it was set for ${call.until}, and it is now ${now.toISOString()}.`;
  const past = `${call.until} had passed already; it is now ${now.toISOString()}.`;
  return { status: 'completed', result: call.until <= call.createdAt ? past : woke };
}
