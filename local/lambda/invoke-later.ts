import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock';
import type { Resource } from '../template/template';
import type { Destination } from '../undelivered';
import type { InvokeResult } from './answer';

export interface InvokeLaterOptions {
  invoke: (functionName: string, payload: string) => Promise<InvokeResult>;
  find: (functionName: string) => Resource | undefined;
  /** Returns the destination of a function's failed events. */
  onFailure?: (lambda: Resource) => Destination | undefined;
  clock: Clock;
  hasStopped: () => boolean;
}

/** By the local clock. */
const retryDelaysMs = [60_000, 120_000];

/**
 * Asynchronous invocations: an event is run at once, retried twice if it fails, and then given up.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
 */
export function openInvokeLater(options: InvokeLaterOptions): (functionName: string, payload: string) => void {
  const { invoke, find, onFailure, clock, hasStopped } = options;

  async function attempt(functionName: string, payload: string, number: number): Promise<void> {
    // The service itself may reject it: a failure without a result.
    const result = await invoke(functionName, payload).catch(() => undefined);
    if ((result && !result.functionError) || hasStopped()) return;
    const delay = retryDelaysMs[number];
    if (delay !== undefined) {
      clock.at(clock.now() + delay, () => void attempt(functionName, payload, number + 1));
      return;
    }
    const lambda = find(functionName);
    if (lambda) await onFailure?.(lambda)?.(recordOf(lambda, payload, number + 1, result, clock.now()));
  }

  return (functionName, payload) => void attempt(functionName, payload, 0);
}

/** https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-retain-records.html */
function recordOf(
  { attributes }: Resource,
  payload: string,
  approximateInvokeCount: number,
  result: InvokeResult | undefined,
  now: number,
): object {
  return {
    version: '1.0',
    timestamp: new Date(now).toISOString(),
    requestContext: {
      requestId: randomUUID(),
      functionArn: `${attributes.Arn}:$LATEST`,
      condition: 'RetriesExhausted',
      approximateInvokeCount,
    },
    requestPayload: JSON.parse(payload || 'null') as unknown,
    ...(result && {
      responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: result.functionError },
      responsePayload: JSON.parse(result.payload) as unknown,
    }),
  };
}
