import { parseInput } from '../../base/schemas/parse-input';
import { attemptFailed, pauseIn, withFailed } from '../../base/state/failed-attempts';
import type { ToolRequest } from '../../base/state/loop-state';
import type { CallStatus } from '../../base/state/schemas';
import { isFinal, TellModel, ToolFailed } from '../../base/text/errors';
import { failureWords } from '../../base/text/failure-words';
import { problemsIn } from '../../base/text/problems';
import { isThrottling } from '../../base/text/throttling';
import { asError } from '../../base/text/thrown';
import { isTableEffect } from '../../conversations/agent/table-effect';
import type { FunctionTool } from '../../conversations/agent/tool';
import { assertPauseOver, readCall } from '../../conversations/calls/call';
import { readResult } from '../../conversations/calls/result';
import { settleCall } from '../../conversations/calls/settle';
import { isDone } from '../../conversations/calls/undoable';
import { key } from '../../conversations/rows/keys';
import type { StoredCall } from '../../conversations/rows/rows';
import { pause } from '../../conversations/store/retry-on-conflict';
import { ignoreConflict, write } from '../../conversations/store/table';
import { contextOf, filesOf, type ToolRuntime } from '../loop/run-tool';

const attemptsAtEffect = 10;

/**
 * Runs one attempt at undoing a call. A call that is already undone does not change. The compensation's table effect commits with
 * the call's status.
 *
 * @returns the call's status afterwards.
 * @throws ToolFailed, which is retried as the tool's `retry` says.
 * @throws Throttled, or AWS's own error, which is retried for hours.
 * @throws ToolTerminal, ConfigurationError, which give up the undo.
 */
export async function undoTool(
  runtime: ToolRuntime,
  tool: FunctionTool,
  { conversationId, callId }: ToolRequest,
): Promise<CallStatus | undefined> {
  const { table, now } = runtime;
  for (let attempt = 1; ; attempt++) {
    const call = await readCall(table, conversationId, callId);
    if (!call || !tool.compensate || !isDone(call)) return call?.status;
    assertPauseOver(call, now());
    runtime.began?.(call);
    const effect = await compensate(runtime, tool, conversationId, call);
    const settled = settleCall(table, conversationId, call, { status: 'undone' }, { effect, now: now() });
    if (await settled.catch(ignoreConflict)) return 'undone';
    if (attempt === attemptsAtEffect) throw new ToolFailed('The call, or a row that the undo needs, keeps changing.');
    await pause(attempt);
  }
}

async function compensate(runtime: ToolRuntime, tool: FunctionTool, conversationId: string, call: StoredCall) {
  const startedAt = runtime.now();
  try {
    const { data: input, error } = parseInput(tool.input, call.arguments);
    if (error) throw new TellModel(`The arguments no longer fit the tool: ${problemsIn(error, 'arguments')}`);
    const output = call.status === 'completed' ? await readResult(runtime.table, conversationId, call) : undefined;
    const files = filesOf(runtime, tool, conversationId, call);
    const returned = await tool.compensate!(
      input,
      output,
      await contextOf({ runtime, tool, conversationId, call, files }),
    );
    return isTableEffect(returned) ? returned : undefined;
  } catch (thrown) {
    const error = asError(thrown);
    const { name } = error;
    // A compensation may be repeated, so this one is tried again later and has not failed.
    if (name === 'Throttled' || isThrottling(error)) throw error;
    runtime.failed?.(error, call);
    const message = failureWords(error);
    const retry = isFinal(error) ? undefined : tool.retry;
    const attempt = (call.failedUndos?.at(-1)?.attempt ?? 0) + 1;
    const notBefore = pauseIn(error, runtime.now())?.until;
    const tried = { attempt, startedAt: startedAt.toISOString(), error: message, retry, notBefore };
    const failed = attemptFailed(tried, runtime.now());
    const set = {
      error: message,
      failedUndos: withFailed(call.failedUndos, failed),
      ...(notBefore && { notBefore }),
    };
    const row = { sk: key.call(call.id), set, onlyIf: { status: call.status } };
    await write(runtime.table, conversationId, [row]);
    if (isFinal(error) || name === 'ToolFailed') throw error;
    throw new ToolFailed(message, { cause: error });
  }
}
