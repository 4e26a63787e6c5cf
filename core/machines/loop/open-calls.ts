import {
  type CaughtError,
  errorOf,
  isAnswered,
  type LoopInput,
  type LoopOutput,
  refIn,
  type SegmentInput,
} from '../../base/state/loop-state';
import { isActive, isSettled } from '../../base/state/schemas';
import { clockToleranceMs } from '../../base/state/waiting';
import { errorWords } from '../../base/text/caught-error';
import { ConfigurationError, ToolTerminal } from '../../base/text/errors';
import { inZone } from '../../base/time/time-zone';
import type { Tool } from '../../conversations/agent/tool';
import { readCall, readCallsOfStep } from '../../conversations/calls/call';
import { toolOf } from '../../conversations/calls/call-state';
import { listEntryWrites } from '../../conversations/calls/callback';
import { type CallOutcome, settleCall } from '../../conversations/calls/settle';
import { isAsking, onlyWaits, refId, routeCalls, statusWith } from '../../conversations/decisions/route';
import type { StoredRun } from '../../conversations/rows/meta';
import type { StoredCall, StoredCallback } from '../../conversations/rows/rows';
import { nextSegment } from '../../conversations/runs/run';
import { standing } from '../../conversations/runs/standing';
import { changeConversation } from '../../conversations/store/change-conversation';
import type { Table } from '../../conversations/store/table';
import { finishCallback, finishQuestion, goneWords } from './open-question';

const attemptsToSettle = 10;

/**
 * Finishes what the run's last step left open: waits that are over or interrupted by a message, and calls that their state gave
 * up on. Work that remains is routed again.
 *
 * @returns where the loop goes instead of to the model; undefined if nothing is open.
 * @throws ToolTerminal, ConfigurationError if a call's error ends the run.
 */
export async function finishOpenCalls(
  table: Table,
  input: LoopInput,
  run: StoredRun,
  { tools, now }: { tools: ReadonlyMap<string, Tool>; now: Date },
): Promise<LoopOutput | undefined> {
  const { conversationId, runId, segment } = input;
  const at: SegmentInput = { conversationId, runId, segment, step: run.step };
  const kind = run.next?.next;
  if (!kind || kind === 'done') return undefined;
  const calls = await readCallsOfStep(table, at.conversationId, run.id, run.step);
  if (kind === 'callback' && calls.length === 0) {
    const { segmentStartedAt, next } = run;
    return finishQuestion(table, input, at, { callbackId: next!.call!.callId, segmentStartedAt, now });
  }

  const { open, callbacks } = await settleFinished(table, input, run, calls, { tools, now });
  if (open.length === 0) return undefined;
  if (!(await showOpen(table, at, open, callbacks))) {
    for (const call of open)
      await settleForGood(table, at.conversationId, call, (one) => interrupted(one, now), { tools, now });
    return undefined;
  }
  const again = routeCalls(open, { callbacks, segmentStartedAt: run.segmentStartedAt, now });
  if (!again) return undefined;
  // This execution could not finish the call: the wait outlives the execution, or its definition lacks the tool. The next one can.
  const needsNextSegment = open.some((call) => wasServed(input, call));
  return needsNextSegment ? nextSegment(table, at, now) : { ...at, ...again };
}

/**
 * Settles the calls whose outcome is known by now.
 *
 * @returns the others, and the callbacks that they wait for.
 * @throws the first error that ends the run, last, so the outcomes of the other calls are stored.
 */
async function settleFinished(
  table: Table,
  input: LoopInput,
  run: StoredRun,
  calls: StoredCall[],
  { tools, now }: { tools: ReadonlyMap<string, Tool>; now: Date },
): Promise<{ open: StoredCall[]; callbacks: StoredCallback[] }> {
  const { conversationId } = input;
  const [open, callbacks, fatal]: [StoredCall[], StoredCallback[], Error[]] = [[], [], []];
  const outcomeNow = (call: StoredCall) => outcomeOf(call, input, { run, tools, now });
  for (const call of calls.filter(({ status }) => !isSettled(status))) {
    const error = fatalErrorOf(call, input);
    if (error) {
      fatal.push(error);
      continue;
    }
    // A slow attempt may have begun to wait for somebody when the call's state had given up on it.
    const left = isAsking(call) ? call : await settleForGood(table, conversationId, call, outcomeNow, { tools, now });
    if (!left || !isAsking(left)) open.push(...(left ? [left] : []));
    else {
      const callback = await finishCallback(table, input, { call: left, tools, now });
      if (callback) callbacks.push(callback);
      open.push(...(callback ? [left] : await unsettled(table, conversationId, call.id)));
    }
  }
  if (fatal[0]) throw fatal[0];
  return { open, callbacks };
}

/** Reads a call whose callback has just been closed. If it was approved, it must still run. */
async function unsettled(table: Table, conversationId: string, callId: string): Promise<StoredCall[]> {
  const call = await readCall(table, conversationId, callId);
  return call && !isSettled(call.status) ? [call] : [];
}

/** Whether the execution has just left the state that serves the call. An approved call has left another state before. */
function wasServed(input: LoopInput, call: StoredCall): boolean {
  const ref = refIn(input, refId(call));
  return ref !== undefined && isAnswered(ref) === isAsking(call);
}

/**
 * Updates the run's status, and lists what it waits for. The run does not fall asleep while a message is unread; a message that arrives later wakes it.
 *
 * @returns false if the run must not sleep.
 */
const showOpen = (table: Table, at: SegmentInput, open: StoredCall[], callbacks: StoredCallback[]): Promise<boolean> =>
  changeConversation<boolean>(table, at.conversationId, async (meta) => {
    const { run, pending } = meta;
    // A run that has just been cancelled or has ended keeps its status, and so does one whose next step another invocation has begun.
    const hasGoneOn = run?.step !== at.step || run.draft?.step === at.step + 1;
    const ours = run?.id === at.runId && run.segment === at.segment && isActive(run.status) && !hasGoneOn;
    if (onlyWaits(open) && pending.length > 0) return { answer: false };
    const shown = statusWith(open);
    if (!ours) return { answer: true };
    const rows = await listEntryWrites(table, at.conversationId, callbacks);
    const after = standing(meta, shown);
    const isAsBefore =
      run.status === shown.status && meta.waitsFor === after.waitsFor && meta.takenBy?.user === after.takenBy?.user;
    return rows.length === 0 && isAsBefore ? { answer: true } : { meta: after, rows, answer: true };
  });

/** The result of a wait that a message interrupts. The model reads the message next and may go back to sleep. */
const interrupted = ({ until = '', timeZone }: StoredCall, now: Date): CallOutcome => ({
  status: 'completed',
  result:
    `Interrupted: the time ${inZone(until, timeZone)} has not come yet; it is ${inZone(now, timeZone)}. A new message has arrived and follows. ` +
    `Respond to it first. If you still need to wait, call the tool again with the same time.`,
});

/**
 * Settles a call. An attempt may still begin meanwhile, so the outcome is decided again from the changed row.
 *
 * @returns the call, if it is still open: it has no outcome yet, or has begun to wait for a callback, which has one of its own.
 */
async function settleForGood(
  table: Table,
  conversationId: string,
  call: StoredCall,
  outcomeFor: (call: StoredCall) => CallOutcome | undefined,
  { tools, now }: { tools: ReadonlyMap<string, Tool>; now: Date },
): Promise<StoredCall | undefined> {
  let current: StoredCall | undefined = call;
  for (let attempt = 0; current && !isSettled(current.status) && attempt < attemptsToSettle; attempt++) {
    const outcome = outcomeFor(current);
    if (!outcome || isAsking(current)) return current;
    if (await settleCall(table, conversationId, current, outcome, { tool: toolOf(tools, call), now })) return undefined;
    current = await readCall(table, conversationId, call.id);
  }
  return current && !isSettled(current.status) ? current : undefined;
}

/** Returns the error that the call's own state gave up with. Errors of AwaitCallback are handled with the callback. */
function caughtBy(call: StoredCall, input: LoopInput): CaughtError | undefined {
  const ref = refIn(input, call.id);
  return ref && isAnswered(ref) ? undefined : errorOf(input, call.id);
}

/**
 * Whether a state could not invoke its tool, because a deployment has removed or replaced the function: the execution keeps the old
 * definition, and its role has the rights of the new one. Lambda has certainly not run the function then.
 */
const isOfAnotherDeployment = ({ Error: name }: CaughtError): boolean =>
  name === 'NoSuchTool' || name === 'Lambda.ResourceNotFoundException' || name === 'Lambda.AWSLambdaException';

/** Returns an error that ends the run. The call stays open, so a retry of the run makes it again. */
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
    // The definition may be older than the tool, or than its function. A new execution uses the latest one.
    const isFirst = run.segmentEvents === 0;
    if (isOfAnotherDeployment(error) && tools.has(call.tool) && !isFirst) return undefined;
    const isGone = error.Error === 'NoSuchTool' || (isOfAnotherDeployment(error) && !tools.has(call.tool));
    return { status: 'ended', by: 'give-up', error: isGone ? goneWords(call) : words };
  }
  if (call.status !== 'waiting' || !call.until) return undefined;
  const late = now.getTime() - Date.parse(call.until);
  if (late < (refIn(input, call.id) ? -clockToleranceMs : 0)) return undefined;
  const { timeZone } = call;
  const until = inZone(call.until, timeZone);
  const woke = `The time has come: it was set for ${until}, and it is now ${inZone(now, timeZone)}.`;
  const past = `${until} had passed already; it is now ${inZone(now, timeZone)}.`;
  return { status: 'completed', result: call.until <= call.createdAt ? past : woke };
}
