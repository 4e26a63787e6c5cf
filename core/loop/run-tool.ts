import { type FunctionTool, isTableEffect, type TableEffect, type ToolContext } from '../agent/tool';
import { noteFailedAttempt, readCall, startAttempt } from '../calls/call';
import { mayHaveEffect, transition } from '../calls/call-state';
import { readCallback, webhookId } from '../calls/callback';
import { type CallOutcome, settleCall } from '../calls/settle';
import { unknownOutcome } from '../calls/unknown-outcome';
import type { ToolRequest } from '../state/loop-state';
import { type CallStatus, isSettled } from '../state/schemas';
import type { StoredCall } from '../store/rows';
import { pause, RowConflict, type Table } from '../store/table';
import { ConversationBusy, TellModel, ToolFailed, ToolTerminal } from '../text/errors';
import { failureWords } from '../text/failure-words';
import { problemsIn } from '../text/problems';

/** What a tool's Lambda has at hand. */
export interface ToolRuntime {
  table: Table;
  now(): Date;
  /** Makes the signed address of a callback, for a tool with a webhook. */
  webhookUrl?(conversationId: string, callbackId: string): Promise<string>;
  /** Is told of each attempt that failed, with what the tool threw. */
  failed?(error: Error, call: StoredCall): void;
}

/** More than a reply may have calls: in each round at least one that wants the same row gets it. */
const attemptsAtEffect = 25;

/**
 * Runs one attempt of a tool call, once: a call that has its outcome is left alone, and the outcome is committed only by
 * the attempt that is the latest.
 *
 * @returns the call's status afterwards.
 * @throws ToolFailed to be tried again, ToolTerminal and ConfigurationError to end the run.
 */
export async function runTool(
  bench: ToolRuntime,
  tool: FunctionTool,
  { conversationId, callId }: ToolRequest,
): Promise<CallStatus> {
  const { table, now } = bench;
  const started = await startAttempt(table, conversationId, callId, tool, now());
  if (!started.claimed) return started.call.status;
  let { call } = started;
  const run = () =>
    contextOf(bench, tool, conversationId, call)
      .then((context) => execute(tool, call, context))
      .then((output) => ({ output }))
      .catch((error: Error) => {
        bench.failed?.(error, call);
        return { error };
      });
  let tried = await run();
  for (let attempt = 1; ; attempt++) {
    const { outcome, effect } =
      'error' in tried
        ? await failed(table, tool, conversationId, call, tried.error)
        : await succeeded(bench, tool, conversationId, call, tried.output);
    try {
      const { maxResultBytes } = tool;
      const settled = await settleCall(table, conversationId, call, outcome, { maxResultBytes, effect, now: now() });
      if (settled) return outcome.status;
      const current = await readCall(table, conversationId, callId);
      if (!current) throw new ToolFailed('The call is not there any more.');
      if (isSettled(current.status)) {
        if (effect && writes(effect) && (await wasDelivered(table, conversationId, current, call)))
          await settleCall(table, conversationId, current, { status: 'late-effect' }, { effect, now: now() });
        return current.status;
      }
      if (current.status !== 'running' || current.attempts !== call.attempts || attempt === attemptsAtEffect)
        throw new ToolFailed('A later attempt of this call has taken over.');
      // The conversation was deleted meanwhile: what is written now expires.
      call = current;
    } catch (error) {
      if (error instanceof ConversationBusy) {
        // It may have been committed although the table has not said so: then the row does.
        const current = await readCall(table, conversationId, callId);
        if (current && isSettled(current.status)) return current.status;
      }
      if (!(error instanceof RowConflict) || attempt === attemptsAtEffect) throw error;
      // What an effect in the table was worked out from has changed. Nothing was written, so it is worked out again.
      await pause(attempt);
      if (effect?.rows) tried = await run();
    }
  }
}

const writes = ({ rows, messages, timer }: TableEffect<unknown>): boolean => Boolean(rows || messages || timer);

/** By its webhook, before the tool was done: the call has its result, and what the tool does in the table is still due, once. */
async function wasDelivered(
  table: Table,
  conversationId: string,
  { status, attempts, id, lateEffect }: StoredCall,
  call: StoredCall,
): Promise<boolean> {
  if (status !== 'completed' || attempts !== call.attempts || lateEffect) return false;
  return (await readCallback(table, conversationId, webhookId(id)))?.status === 'answered';
}

/** What the tool may know of the call, from our own records. */
export async function contextOf(
  { table, now, webhookUrl }: ToolRuntime,
  tool: FunctionTool,
  conversationId: string,
  { id: callId, runId, user, agent, attempts: attempt }: StoredCall,
): Promise<ToolContext> {
  const address = tool.webhook && (await webhookUrl?.(conversationId, webhookId(callId)));
  return { conversationId, runId, callId, user, agent, attempt, now: now(), table, webhookUrl: address };
}

/** Whatever throws, and whenever, throws in here; arguments that a deployment has outgrown are for the model to mend. */
async function execute(tool: FunctionTool, call: StoredCall, context: ToolContext): Promise<unknown> {
  const input = tool.input.safeParse(call.arguments);
  if (input.success) return tool.execute(input.data, context);
  throw new TellModel(`The arguments do not fit the tool any more: ${problemsIn(input.error, 'arguments')}`);
}

interface Tried {
  outcome: Exclude<CallOutcome, { status: 'late-effect' }>;
  effect?: TableEffect<unknown>;
}

async function succeeded(
  bench: ToolRuntime,
  tool: FunctionTool,
  conversationId: string,
  call: StoredCall,
  returned: unknown,
): Promise<Tried> {
  const effect = isTableEffect(returned) ? returned : { output: returned };
  const checked = tool.output.safeParse(effect.output);
  if (!checked.success) {
    const error = `It ran, but its result is not what it promises: ${problemsIn(checked.error, 'result')}`;
    bench.failed?.(new ToolTerminal(error), call);
    // It has run, so it is not run again. What it was to do in the table is left out; what else it did, nobody knows.
    const isHarmless = !mayHaveEffect(call, tool.effect) || (isTableEffect(returned) && !call.uncertain);
    if (isHarmless) return { outcome: { status: 'failed', error } };
    return { outcome: { status: 'unknown', error: `${error} ${unknownOutcome(tool)}` } };
  }
  if (tool.webhook?.delivers !== 'result') return { outcome: { status: 'completed', result: checked.data }, effect };
  const callback = await readCallback(bench.table, conversationId, webhookId(call.id));
  // Where the run was cancelled meanwhile, nobody waits any more: what was begun is to be undone.
  const waits = callback?.status === 'pending';
  return { outcome: { status: waits ? 'waiting' : 'completed', result: checked.data }, effect };
}

/** The one place where a failure of a tool becomes something that the model reads, or goes to the state machine. */
async function failed(
  table: Table,
  tool: FunctionTool,
  conversationId: string,
  call: StoredCall,
  error: Error,
): Promise<Tried> {
  const message = failureWords(error);
  const { name } = error;
  const noEffect = name === 'ToolFailed' || name === 'ToolTerminal' || name === 'ConfigurationError';
  const event = name === 'TellModel' ? 'fail' : noEffect ? 'retry' : 'lose';
  const next = transition(call, event, tool.effect)!;
  if (next.status === 'failed') return { outcome: { status: 'failed', error: message } };
  if (next.status === 'unknown') return { outcome: { status: 'unknown', error: `${message} ${unknownOutcome(tool)}` } };
  await noteFailedAttempt(table, conversationId, call, message, next);
  throw noEffect ? error : new ToolFailed(message, { cause: error });
}
