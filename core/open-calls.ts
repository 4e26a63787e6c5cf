import { errorWords } from './caught-error';
import { ConfigurationError, ToolTerminal } from './errors';
import { errorOf, type LoopInput, type LoopOutput, type SegmentInput, served } from './loop-state';
import { finishQuestion } from './open-question';
import { onlyWaits, routeCalls, statusWith } from './route';
import { isSettled } from './schemas';
import { type CallOutcome, readCall, readCallsOfStep, settleCall } from './store/call';
import type { StoredCall, StoredRun } from './store/rows';
import { nextSegment } from './store/run';
import { changeConversation, type Table } from './store/table';
import type { Tool } from './tool';

/** A Wait state may end a little before the time, by this process's clock. */
const clockToleranceMs = 5_000;
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
  if (kind === 'callback') return finishQuestion(table, input, at, run.next!.call!.callId, now);

  const open: StoredCall[] = [];
  for (const call of await readCallsOfStep(table, at.conversationId, run.id, run.step)) {
    if (isSettled(call.status)) continue;
    const outcome = outcomeOf(call, input, { run, tools, now });
    if (outcome) await settleForGood(table, at.conversationId, call, outcome, now);
    else open.push(call);
  }
  if (onlyWaits(open) && !(await fallAsleep(table, at, open))) {
    for (const call of open) await settleForGood(table, at.conversationId, call, interrupted(call, now), now);
    return undefined;
  }
  const again = routeCalls(open, run.segmentStartedAt);
  if (!again) return undefined;
  // What this execution has been through in vain goes on in the next one: a wait that outlives an execution's year, and
  // a tool that its definition does not know yet.
  const inVain = open.some(({ id }) => served(input, id));
  return inVain ? nextSegment(table, at, now) : { ...at, ...again };
}

/** Says that the run sleeps, unless a message is there that nobody has seen: one that comes later finds a sleeper, and wakes it. */
const fallAsleep = (table: Table, at: SegmentInput, waits: StoredCall[]): Promise<boolean> =>
  changeConversation<boolean>(table, at.conversationId, (meta) => {
    const { run, pending } = meta;
    if (pending.length > 0) return { answer: false };
    const ours = run?.id === at.runId && run.segment === at.segment;
    if (!ours || run.status === 'sleeping') return { answer: true };
    const asleep = statusWith(waits);
    return { meta: { ...meta, ...asleep, run: { ...run, ...asleep } }, answer: true };
  });

/** A new message comes before sleep: the model reads it next, and may go back to sleep until the same time. */
const interrupted = ({ until }: StoredCall, now: Date): CallOutcome => ({
  status: 'completed',
  result:
    `Interrupted: the time ${until} has not come; it is ${now.toISOString()}. A new message has come and follows. ` +
    `Attend to it first. If what you were waiting for still stands, call the tool again with the same time.`,
});

/** An attempt that its state gave up on may still begin while we look: its claim is overruled, its own outcome is not. */
async function settleForGood(
  table: Table,
  conversationId: string,
  call: StoredCall,
  outcome: CallOutcome,
  now: Date,
): Promise<void> {
  let current: StoredCall | undefined = call;
  for (let attempt = 0; current && !isSettled(current.status) && attempt < attemptsToSettle; attempt++) {
    if (await settleCall(table, conversationId, current, outcome, { now })) return;
    current = await readCall(table, conversationId, call.id);
  }
}

function outcomeOf(
  call: StoredCall,
  input: LoopInput,
  { run, tools, now }: { run: StoredRun; tools: ReadonlyMap<string, Tool>; now: Date },
): CallOutcome | undefined {
  const error = errorOf(input, call.id);
  if (error) {
    const words = call.error ?? errorWords(error);
    if (error.Error === 'NoSuchTool') {
      // The definition may be older than the tool: a new execution takes the newest one. Where that has been tried, it is gone.
      const fresh = run.segmentEvents === 0;
      if (tools.has(call.tool) && !fresh) return undefined;
      return { status: 'failed', error: `The tool "${call.tool}" is not part of this deployment.` };
    }
    if (error.Error === 'ToolTerminal') throw new ToolTerminal(words);
    if (error.Error === 'ConfigurationError') throw new ConfigurationError(words);
    const tool = tools.get(call.tool);
    if (tool?.kind === 'function' && tool.effect === 'once' && call.status === 'running') {
      return { status: 'unknown', error: `${words} Whether it took effect is unknown: check before you try again.` };
    }
    return { status: 'failed', error: words };
  }
  if (call.status !== 'waiting' || !call.until) return undefined;
  const late = now.getTime() - Date.parse(call.until);
  if (late < (served(input, call.id) ? -clockToleranceMs : 0)) return undefined;
  const woke = `The time has come: it was set for ${call.until}, and it is now ${now.toISOString()}.`;
  const past = `${call.until} had passed already; it is now ${now.toISOString()}.`;
  return { status: 'completed', result: call.until <= call.createdAt ? past : woke };
}
