import { TellModel, ToolFailed } from './errors';
import type { ToolRequest } from './loop-state';
import { problemsIn } from './problems';
import type { CallStatus } from './schemas';
import { type CallOutcome, noteFailedAttempt, settleCall, startAttempt } from './store/call';
import type { StoredCall } from './store/rows';
import type { Table } from './store/table';
import type { FunctionTool, TableEffect, ToolContext } from './tool';

/**
 * Runs one attempt of a tool call, once: a call that has its outcome is left alone, and the outcome is committed only by
 * the attempt that is the latest.
 *
 * @returns the call's status afterwards.
 * @throws ToolFailed to be tried again, ToolTerminal and ConfigurationError to end the run.
 */
export async function runTool(
  table: Table,
  tool: FunctionTool,
  { conversationId, runId, callId }: ToolRequest,
  now: () => Date,
): Promise<CallStatus> {
  const { call, claimed } = await startAttempt(table, conversationId, callId, { effect: tool.effect, now: now() });
  if (!claimed) return call.status;
  const { user } = call;
  const context = { conversationId, runId, callId, user, attempt: call.attempts, now: now() };
  const attempt = await execute(tool, call, context)
    .then((output) => ({ output }))
    .catch((error: Error) => ({ error }));

  const { outcome, messages } =
    'error' in attempt
      ? await failed(table, tool, conversationId, call, attempt.error)
      : succeeded(tool, attempt.output);
  const settled = await settleCall(table, conversationId, call, outcome, {
    maxResultBytes: tool.maxResultBytes,
    messages,
    now: now(),
  });
  if (!settled) throw new ToolFailed('A later attempt of this call has taken over.');
  return outcome.status;
}

/** Whatever throws, and whenever, throws in here; arguments that a deployment has outgrown are for the model to mend. */
async function execute(tool: FunctionTool, call: StoredCall, context: ToolContext): Promise<unknown> {
  const input = tool.input.safeParse(call.arguments);
  if (input.success) return tool.execute(input.data, context);
  throw new TellModel(`The arguments do not fit the tool any more: ${problemsIn(input.error, 'arguments')}`);
}

function succeeded(
  tool: FunctionTool,
  returned: unknown,
): { outcome: CallOutcome; messages?: TableEffect<unknown>['messages'] } {
  const effect = isTableEffect(returned) ? returned : { output: returned, messages: [] };
  const checked = tool.output.safeParse(effect.output);
  if (checked.success) return { outcome: { status: 'completed', result: checked.data }, messages: effect.messages };
  const problems = problemsIn(checked.error, 'result');
  // It has run, so it is not run again; what it put into the conversation stands.
  return {
    outcome: { status: 'failed', error: `It ran, but its result is not what it promises: ${problems}` },
    messages: effect.messages,
  };
}

const isTableEffect = (returned: unknown): returned is TableEffect<unknown> =>
  typeof returned === 'object' && returned !== null && 'output' in returned && 'messages' in returned;

/** The one place where a failure of a tool becomes something that the model reads, or goes to the state machine. */
async function failed(
  table: Table,
  tool: FunctionTool,
  conversationId: string,
  call: StoredCall,
  error: Error,
): Promise<{ outcome: CallOutcome; messages?: undefined }> {
  const message = error.message.slice(0, 2_000);
  if (error.name === 'TellModel') return { outcome: { status: 'failed', error: message } };
  const noEffect = error.name === 'ToolFailed' || error.name === 'ToolTerminal' || error.name === 'ConfigurationError';
  if (tool.effect === 'once' && !noEffect) {
    const unknown = `${message} Whether it took effect is unknown: check before you try again.`;
    return { outcome: { status: 'unknown', error: unknown } };
  }
  await noteFailedAttempt(table, conversationId, call, message, tool.effect === 'once');
  throw noEffect ? error : new ToolFailed(message, { cause: error });
}
