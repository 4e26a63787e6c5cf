import { randomUUID } from 'node:crypto';
import type { Clock } from 'vigil-stepfunctions';
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

/** By the local clock, as the following. */
const retryDelaysMs = [60_000, 120_000];
/** Growing delays after Lambda itself rejects an event or fails at it, up to the event's greatest age. */
const [firstDelayMs, longestDelayMs, oldestMs] = [1_000, 300_000, 6 * 3_600_000];

/**
 * Asynchronous invocations: an event is run at once, retried twice if it fails, and then given up. While it is throttled, it waits
 * for up to six hours, which counts as no attempt.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
 */
export function openInvokeLater(options: InvokeLaterOptions): (functionName: string, payload: string) => void {
  const { invoke, find, onFailure, clock, hasStopped } = options;

  return (functionName, payload) => {
    const queuedAt = clock.now();
    let failures = 0;
    let rejections = 0;
    void attempt();

    async function attempt(): Promise<void> {
      // The service itself may reject it: a failure without a result.
      const result = await invoke(functionName, payload).catch(() => undefined);
      if ((result && !result.functionError) || hasStopped()) return;
      if (result) failures += 1;
      else rejections += 1;
      const delay = result
        ? retryDelaysMs[failures - 1]
        : Math.min(firstDelayMs * 2 ** (rejections - 1), longestDelayMs);
      const isOld = clock.now() - queuedAt >= oldestMs;
      if (delay !== undefined && !isOld) {
        clock.at(clock.now() + delay, () => void attempt());
        return;
      }
      const lambda = find(functionName);
      const condition = delay === undefined ? 'RetriesExhausted' : 'EventAgeExceeded';
      if (lambda)
        await onFailure?.(lambda)?.(recordOf(lambda, payload, { condition, attempts: failures, result }, clock.now()));
    }
  };
}

/** https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-retain-records.html */
function recordOf(
  { attributes }: Resource,
  payload: string,
  { condition, attempts, result }: { condition: string; attempts: number; result: InvokeResult | undefined },
  now: number,
): object {
  return {
    version: '1.0',
    timestamp: new Date(now).toISOString(),
    requestContext: {
      requestId: randomUUID(),
      functionArn: `${attributes.Arn}:$LATEST`,
      condition,
      approximateInvokeCount: attempts,
    },
    requestPayload: JSON.parse(payload || 'null') as unknown,
    ...(result && {
      responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: result.functionError },
      responsePayload: JSON.parse(result.payload) as unknown,
    }),
  };
}
