import { TellModel, ToolFailed } from './errors';
import { failureWords } from './failure-words';
import type { ToolRequest } from './loop-state';
import { problemsIn } from './problems';
import { type CallStatus, isSettled } from './schemas';
import { noteFailedAttempt, readCall, startAttempt } from './store/call';
import { readCallback, webhookId } from './store/callback';
import { readResult } from './store/result';
import type { StoredCall } from './store/rows';
import { type CallOutcome, settleCall } from './store/settle';
import { pause, RowConflict, type Table } from './store/table';
import { type FunctionTool, isTableEffect, type TableEffect, type ToolContext } from './tool';
import { unknownOutcome } from './unknown-outcome';

/** What a tool's Lambda has at hand. */
export interface Bench {
  table: Table;
  now(): Date;
  /** Makes the signed address of a callback, for a tool with a webhook. */
  webhookUrl?(conversationId: string, callbackId: string): Promise<string>;
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
  bench: Bench,
  tool: FunctionTool,
  { conversationId, callId }: ToolRequest,
): Promise<CallStatus> {
  const { table, now } = bench;
  const { call, claimed } = await startAttempt(table, conversationId, callId, tool, now());
  if (!claimed) return call.status;
  const run = () =>
    contextOf(bench, tool, conversationId, call)
      .then((context) => execute(tool, call, context))
      .then((output) => ({ output }))
      .catch((error: Error) => ({ error }));
  let tried = await run();
  for (let attempt = 1; ; attempt++) {
    const { outcome, effect } =
      'error' in tried
        ? await failed(table, tool, conversationId, call, tried.error)
        : await succeeded(table, tool, conversationId, call, tried.output);
    try {
      const { maxResultBytes } = tool;
      const settled = await settleCall(table, conversationId, call, outcome, { maxResultBytes, effect, now: now() });
      if (settled) return outcome.status;
      const current = await readCall(table, conversationId, callId);
      if (!current || !isSettled(current.status)) throw new ToolFailed('A later attempt of this call has taken over.');
      if (effect && wasDelivered(current, call)) await commitEffect(table, conversationId, current, effect, now());
      return current.status;
    } catch (error) {
      if (!(error instanceof RowConflict) || attempt === attemptsAtEffect) throw error;
      // What an effect in the table was worked out from has changed. Nothing was written, so it is worked out again.
      await pause(attempt);
      if (effect?.rows) tried = await run();
    }
  }
}

/** By its webhook, before the tool was done: the call has its result, and what the tool does in the table is still due. */
const wasDelivered = (current: StoredCall, { attempts }: StoredCall): boolean =>
  current.status === 'completed' && current.attempts === attempts;

async function commitEffect(
  table: Table,
  conversationId: string,
  call: StoredCall,
  effect: TableEffect<unknown>,
  now: Date,
): Promise<void> {
  if (!effect.rows && !effect.messages && !effect.timer) return;
  const result = await readResult(table, conversationId, call);
  await settleCall(table, conversationId, call, { status: 'completed', result }, { effect, now });
}

/** What the tool may know of the call, from our own records. */
export async function contextOf(
  { table, now, webhookUrl }: Bench,
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
  outcome: CallOutcome;
  effect?: TableEffect<unknown>;
}

async function succeeded(
  table: Table,
  tool: FunctionTool,
  conversationId: string,
  call: StoredCall,
  returned: unknown,
): Promise<Tried> {
  const effect = isTableEffect(returned) ? returned : { output: returned };
  const checked = tool.output.safeParse(effect.output);
  if (!checked.success) {
    const error = `It ran, but its result is not what it promises: ${problemsIn(checked.error, 'result')}`;
    // It has run, so it is not run again. What it was to do in the table is left out; what else it did, nobody knows.
    if (tool.effect === 'read' || isTableEffect(returned)) return { outcome: { status: 'failed', error } };
    return { outcome: { status: 'unknown', error: `${error} ${unknownOutcome(tool)}` } };
  }
  if (tool.webhook?.delivers !== 'result') return { outcome: { status: 'completed', result: checked.data }, effect };
  const callback = await readCallback(table, conversationId, webhookId(call.id));
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
  if (error.name === 'TellModel') return { outcome: { status: 'failed', error: message } };
  const noEffect = error.name === 'ToolFailed' || error.name === 'ToolTerminal' || error.name === 'ConfigurationError';
  if (tool.effect === 'once' && !noEffect)
    return { outcome: { status: 'unknown', error: `${message} ${unknownOutcome(tool)}` } };
  await noteFailedAttempt(table, conversationId, call, message, noEffect);
  throw noEffect ? error : new ToolFailed(message, { cause: error });
}
