import type { Fault } from '../app/faults';
import { AwsError } from '../aws/aws-error';
import type { RunResult } from './pool';
import type { FunctionError } from './worker';

/** The result of an invocation, with AWS's error names, by which state machines catch them. */
export interface InvokeResult {
  payload: string;
  functionError?: 'Unhandled';
  executedVersion: '$LATEST';
}

/** The limit of a request or a response, in bytes. */
export const payloadLimit = 6_291_556;

export function answer(result: RunResult | undefined, requestId: string, timeoutSeconds: number): InvokeResult {
  const ending = result?.ending ?? { kind: 'killed' as const };
  if (ending.kind === 'failed') return failed(ending.error);
  if (ending.kind === 'timed-out') return failed(timedOut(requestId, timeoutSeconds));
  if (ending.kind === 'killed') return failed(crashed(requestId));
  if (ending.kind === 'exited') {
    const { errorMessage } = ending.error;
    return failed({
      ...ending.error,
      errorMessage: errorMessage.replace(/^Error: Runtime/, `RequestId: ${requestId} Error: Runtime`),
    });
  }
  if (Buffer.byteLength(ending.payload) <= payloadLimit) return { payload: ending.payload, executedVersion: '$LATEST' };
  const errorMessage = `Response payload size exceeded maximum allowed payload size (${payloadLimit} bytes).`;
  return failed({ errorType: 'Function.ResponseSizeTooLarge', errorMessage, trace: [] });
}

/** Returns what the caller sees of an invocation with an injected fault. */
export function faulty({ kind }: Fault, requestId: string, timeoutSeconds: number): InvokeResult {
  if (kind === 'throttle') throw throttled();
  if (kind === 'timeout') return failed(timedOut(requestId, timeoutSeconds));
  if (kind === 'crash') return failed(crashed(requestId));
  return failed({ errorType: 'Error', errorMessage: 'This error was injected by /_local/faults.', trace: [] });
}

/** Lambda includes the trace only for errors that the function threw. */
function failed({ errorType, errorMessage, trace }: FunctionError): InvokeResult {
  const body = trace.length ? { errorType, errorMessage, trace } : { errorType, errorMessage };
  return { payload: JSON.stringify(body), functionError: 'Unhandled', executedVersion: '$LATEST' };
}

function timedOut(requestId: string, seconds: number): FunctionError {
  const errorMessage = `RequestId: ${requestId} Error: Task timed out after ${seconds.toFixed(2)} seconds`;
  return { errorType: 'Sandbox.Timedout', errorMessage, trace: [] };
}

function crashed(requestId: string): FunctionError {
  const errorMessage = `RequestId: ${requestId} Error: Runtime exited with error: signal: killed`;
  return { errorType: 'Runtime.ExitError', errorMessage, trace: [] };
}

export function throttled(): AwsError {
  return new AwsError('TooManyRequestsException', 'Rate Exceeded.', 429);
}
