import { mostInlineBase64, replacedFiles, withoutFile } from '../core/base/content/parts';
import { cutResult, plainJson } from '../core/base/json/plain-json';
import { pauseIn } from '../core/base/state/failed-attempts';
import { type IsolatedAnswer, IsolatedRequest } from '../core/base/state/isolated-call';
import { ToolRequest } from '../core/base/state/loop-state';
import { type AsksUser, ConfigurationError, type ServerWorking } from '../core/base/text/errors';
import { loggedWords } from '../core/base/text/failure-words';
import { asError } from '../core/base/text/thrown';
import type { IsolatedTool } from '../core/conversations/agent/tool';
import { addFields, adoptConsole, log, logged, withFieldsOfEvent } from './log';
import { logFailure, originOf, withName } from './plain-error';
import { serving } from './serving';
import { withNeeds } from './tool-needs';

const asksIn = ({ question, round }: AsksUser) => ({ asks: question, ...(round && { round }) });

/** Lambda's limit of a response is 6 MB. */
const mostBytes = 6_000_000;
/** As JSON, a text may be six times as long. */
const cutBytes = 1_000_000;

/**
 * Creates the Lambda handler of an isolated tool. It gets the input and returns the output or the failure. RunIsolated does the
 * rest (`lambdas/run-isolated.ts`).
 *
 * @throws ConfigurationError for a tool that is not isolated.
 * @example
 * ```ts
 * import { defineTool, serveIsolated } from 'vigil';
 * import * as z from 'zod';
 *
 * const double = defineTool({
 *   name: 'double',
 *   description: 'Doubles a number.',
 *   input: z.object({ number: z.number().describe('The number') }),
 *   output: z.number(),
 *   effect: 'read',
 *   isolated: true,
 *   execute: async ({ number }) => number * 2,
 * });
 * export const handler = serveIsolated(double);
 * const context = { callId: 'call-1', attempt: 1, now: new Date(), timeZone: 'UTC', secrets: {}, variables: {} };
 * await double.execute({ number: 4 }, context); // → 8
 * ```
 */
export function serveIsolated(tool: IsolatedTool) {
  if (!tool.isolated)
    throw new ConfigurationError(`tool ${tool.name}: handler: use serveTool for a tool that is not isolated`);
  adoptConsole();
  const { execute, compensate } = withNeeds(tool);
  const handler = logged(async (event: unknown): Promise<IsolatedAnswer> => {
    const { input, callId, attempt, now, timeZone, answers, round, trace, undo } = requestIn(event, tool);
    const context = {
      callId,
      attempt,
      now: new Date(now),
      timeZone,
      answers,
      round,
      trace,
      secrets: {},
      variables: {},
    };
    addFields({ tool: tool.name, ...(undo && { undo: true, attempt: undefined }) });
    // An exception in a callback ends the process, and only this handler sees it.
    const crashed = withFieldsOfEvent((error: unknown) => logFailure(error, {}, input));
    process.once('uncaughtExceptionMonitor', crashed);
    const began = Date.now();
    try {
      const output = undo
        ? await compensate?.(input, undo.output, context)
        : await fitting(await execute(input, context), input);
      log.info('isolated', { ms: Date.now() - began });
      return { output };
    } catch (thrown) {
      const error = asError(thrown);
      if (error.name === 'AsksUser') return plainJson(asksIn(error as AsksUser), 'question').value as IsolatedAnswer;
      if (error.name === 'ServerWorking') return { works: (error as ServerWorking).works };
      return { failure: failureOf(error) };
    } finally {
      process.off('uncaughtExceptionMonitor', crashed);
    }
  });
  return serving(handler, tool);
}

function requestIn(event: unknown, { name }: IsolatedTool): IsolatedRequest {
  const { data, error } = IsolatedRequest.safeParse(event);
  if (data) return data;
  // CallModel continues the run in a new segment, whose definition fits the deployment.
  if (ToolRequest.safeParse(event).success)
    throw withName('NoSuchTool', `This execution is older than the deployment: ${name} is isolated.`);
  throw error;
}

/** Leaves out the files that would make the result too long: cut, it would have lost the words, too. */
function boundedFiles(output: unknown): Promise<unknown> {
  let left = mostInlineBase64;
  return replacedFiles(output, async (file) => {
    if (file.data.length > left)
      return withoutFile(file, `the files of a result have at most ${mostInlineBase64} bytes of base64 together.`);
    left -= file.data.length;
    return file;
  });
}

/**
 * Returns the output as JSON that Lambda returns. The tool has run, so neither an output that is not JSON nor one that is too long is a
 * failure: it would be repeated. RunIsolated cuts a result as long as the tool allows.
 */
async function fitting(returned: unknown, said: unknown): Promise<unknown> {
  const { value: plain, unlike } = plainJson(returned, 'result');
  if (unlike.length > 0) logFailure(new TypeError(`The result is not JSON: ${unlike.join('; ')}`), {}, said);
  const value = await boundedFiles(plain);
  const json = JSON.stringify(value);
  const bytes = Buffer.byteLength(json);
  return bytes <= mostBytes ? value : cutResult(typeof value === 'string' ? value : json, bytes, cutBytes);
}

function failureOf(error: Error) {
  // Mapping a stack takes time, and the log leaves out where a TellModel came from.
  const origin = error.name === 'TellModel' ? { frames: '' } : originOf(error);
  const notBefore = pauseIn(error, new Date())?.until;
  return { name: error.name, message: loggedWords(error), notBefore, ...origin };
}
