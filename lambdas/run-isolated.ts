import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import { shipped } from '../agents';
import {
  type CancelTask,
  functionVariable,
  type IsolatedAnswer,
  type IsolatedRequest,
  isolatedAnswerIn,
} from '../core/base/state/isolated-call';
import { ToolRequest } from '../core/base/state/loop-state';
import { fileLimits } from '../core/base/state/user-limits';
import { errorWords } from '../core/base/text/caught-error';
import { AsksUser, AttemptLost, ServerWorking, Throttled, ToolFailed } from '../core/base/text/errors';
import { isOwnError } from '../core/base/text/failure-words';
import { isThrottling } from '../core/base/text/throttling';
import {
  attemptSeconds,
  type FunctionTool,
  functionName,
  type IsolatedContext,
} from '../core/conversations/agent/tool';
import { withStoredFiles } from '../core/conversations/files/tool-files';
import { tableOfDeployment, traceScope, variable } from '../runtime/environment';
import { filesOfDeployment } from '../runtime/file-store';
import { mediaTypeOf } from '../runtime/file-type';
import { logged } from '../runtime/log';
import { withName } from '../runtime/plain-error';
import { serveCall } from '../runtime/serve-tool';

/** No attempts of its own: the call's row decides whether an attempt may be repeated. */
const client = new LambdaClient({ maxAttempts: 1 });
const bench = {
  table: tableOfDeployment(),
  now: () => new Date(),
  traces: traceScope(),
  // Their makers may run what strangers wrote, and other people's servers answer some of them.
  files: { store: filesOfDeployment(), most: fileLimits, typeOf: mediaTypeOf },
};
/** The time to store the outcome after the last moment for an answer. */
const settleSeconds = 15;

/**
 * RunIsolated: makes or undoes a call of an isolated tool. It claims the attempt and settles the outcome. The tool's function, which
 * has no right to the table, gets the input and returns the output.
 */
export const handler = logged(async (event: unknown): Promise<void> => {
  const request = ToolRequest.parse(event);
  const tool = shipped.tools.get(request.tool ?? '');
  if (tool?.kind === 'function' && tool.isolated) {
    if (request.cancelTask !== undefined) return cancelTask(tool, request.cancelTask);
    return serveCall(bench, elsewhere(tool), request);
  }
  // CallModel continues the run in a new segment, whose definition fits the deployment.
  throw withName('NoSuchTool', `This execution is older than the deployment: ${request.tool} is not isolated.`);
});

/** Returns the tool with an `execute` and a `compensate` that invoke its function. */
function elsewhere(tool: FunctionTool): FunctionTool {
  return {
    ...tool,
    execute: async (input, context) => withStoredFiles(await invoke(tool, input, context), context.files),
    compensate:
      tool.compensate && (async (input, output, context) => void (await invoke(tool, input, context, { output }))),
  };
}

/** @throws what the function throws. Lambda then invokes this one again. */
async function cancelTask(tool: FunctionTool, task: string): Promise<void> {
  // The tool may have become another one.
  if (tool.server) await answerOf(tool, { tool: tool.name, cancelTask: task });
}

/**
 * @throws the tool's own error.
 * @throws Throttled if Lambda has no capacity for the function. Waiting here would hold the capacity that it needs.
 * @throws ToolFailed if the function was certainly not invoked for another reason.
 * @throws AttemptLost if it may have run, without an answer.
 */
async function invoke(
  tool: FunctionTool,
  input: Record<string, unknown>,
  { callId, attempt, now, timeZone, answers, round, trace }: IsolatedContext,
  undo?: { output: unknown },
): Promise<unknown> {
  const at = { now: now.toISOString(), timeZone };
  const answer = await answerOf(tool, { tool: tool.name, input, callId, attempt, ...at, answers, round, trace, undo });
  if ('failure' in answer) throw asThrown(answer.failure);
  if ('asks' in answer) throw new AsksUser(answer.asks, answer.round);
  if ('works' in answer) throw new ServerWorking(answer.works);
  return answer.output;
}

/** Invokes the function of a tool. */
async function answerOf(tool: FunctionTool, request: IsolatedRequest | CancelTask): Promise<IsolatedAnswer> {
  const seconds = attemptSeconds(tool) - settleSeconds;
  const command = new InvokeCommand({
    FunctionName: variable(functionVariable(functionName(tool))),
    Payload: JSON.stringify(request),
  });
  const abortSignal = AbortSignal.timeout(seconds * 1_000);
  const { FunctionError, Payload } = await client.send(command, { abortSignal }).catch((error) => {
    if (abortSignal.aborted) throw new AttemptLost(`It has not answered within ${seconds} seconds.`);
    throw notInvoked(error) ?? error;
  });
  const text = Buffer.from(Payload ?? []).toString();
  if (FunctionError) throw broken(text);
  return isolatedAnswerIn(text);
}

/** Lambda rejects a request (400 to 499) before it runs the function. */
function notInvoked(error: Error & { $metadata?: { httpStatusCode?: number } }): Error | undefined {
  if (isThrottling(error)) return new Throttled('AWS has no capacity for the tool’s function.', { cause: error });
  const status = error.$metadata?.httpStatusCode ?? 0;
  const isRejected = status >= 400 && status < 500;
  return isRejected
    ? new ToolFailed(`The tool’s function could not be invoked (${error.name}).`, { cause: error })
    : undefined;
}

/** The function was ended from outside: it timed out, ran out of memory or ended its process. */
function broken(report: string): Error {
  const errorType = typeIn(report);
  const timedOut = errorType === 'Sandbox.Timedout';
  return new AttemptLost(timedOut ? 'It timed out.' : errorWords({ Error: errorType, Cause: report }));
}

function typeIn(report: string): string {
  try {
    return z.object({ errorType: z.string().min(1) }).parse(JSON.parse(report)).errorType;
  } catch {
    return 'Error';
  }
}

/** Vigil's errors that an isolated tool may throw. `NeedsApproval` is none: a stranger would write what a person is asked. */
const throwable = new Set([
  'TellModel',
  'ToolFailed',
  'ToolTerminal',
  'ConfigurationError',
  'ResultLost',
  'AttemptLost',
]);

/** Restores the error that the tool threw, with the lines of its source. */
function asThrown({ name: thrown, message, frames, cause, causeStatus, causeCode, notBefore }: Failure): Error {
  const name = isOwnError({ name: thrown }) && !throwable.has(thrown) ? 'Error' : thrown;
  const stack = [`${name}: ${message}`, ...frames.split('\n').map((frame) => `    at ${frame}`)].join('\n');
  const causedBy = cause && Object.assign(new Error(), { name: cause, status: causeStatus, code: causeCode });
  const pause = notBefore && { notBefore: new Date(notBefore) };
  return Object.assign(new Error(message), { name, stack }, causedBy && { cause: causedBy }, pause);
}

type Failure = Extract<IsolatedAnswer, { failure: object }>['failure'];
