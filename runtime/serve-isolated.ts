import type { IsolatedTool } from '../core/agent/tool';
import { type IsolatedAnswer, IsolatedRequest } from '../core/state/isolated-call';
import type { AsksUser } from '../core/text/errors';
import { failureWords } from '../core/text/failure-words';
import { addFields, adoptConsole, log, logged, withFieldsOfEvent } from './log';
import { logFailure, originOf } from './plain-error';

/** Lambda's limit of a response is 6 MB. */
const mostBytes = 6_000_000;

/**
 * Creates the Lambda handler of an isolated tool. It gets the input and returns the output or the failure. RunIsolated does the
 * rest (`lambdas/run-isolated.ts`).
 */
export function serveIsolated(tool: IsolatedTool) {
  adoptConsole();
  return logged(async (event: unknown): Promise<IsolatedAnswer> => {
    const { input, callId, attempt, now, answers, undo } = IsolatedRequest.parse(event);
    const context = { callId, attempt, now: new Date(now), answers };
    addFields({ tool: tool.name, ...(undo && { undo: true, attempt: undefined }) });
    // An exception in a callback ends the process, and only this handler sees it.
    const crashed = withFieldsOfEvent((error: unknown) => logFailure(error, {}, input));
    process.once('uncaughtExceptionMonitor', crashed);
    const began = Date.now();
    try {
      const output = undo
        ? await tool.compensate?.(input, undo.output, context)
        : fitting(await tool.execute(input, context));
      log.info('isolated', { ms: Date.now() - began });
      return { output };
    } catch (error) {
      if ((error as Error).name === 'AsksUser') return { asks: (error as AsksUser).question };
      return { failure: failureOf(error) };
    } finally {
      process.off('uncaughtExceptionMonitor', crashed);
    }
  });
}

/** RunIsolated cuts a result as long as the tool allows. What Lambda would not return is an error here. */
function fitting(output: unknown): unknown {
  const bytes = Buffer.byteLength(JSON.stringify(output) ?? '');
  if (bytes <= mostBytes) return output;
  throw new Error(`The result has ${bytes} bytes of JSON. An isolated tool can return ${mostBytes}.`);
}

function failureOf(thrown: unknown) {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  // Mapping a stack takes time, and the log leaves out where a TellModel came from.
  const origin = error.name === 'TellModel' ? { frames: '' } : originOf(error);
  return { name: error.name, message: failureWords(error), ...origin };
}
