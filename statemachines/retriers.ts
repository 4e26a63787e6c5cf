import type { Retry } from '../core/agent/tool';
import type { Retrier } from './states';

/**
 * What AWS itself reports when a function could not be reached, crashed, ran out of memory or time. `States.TaskFailed`
 * stands for every error but a timeout, so a retrier with these names comes last.
 */
const anyFailure = ['States.TaskFailed', 'States.Timeout'];

const backOff = ({
  maxAttempts,
  intervalSeconds,
  backoffRate,
  maxDelaySeconds,
}: Retry): Omit<Retrier, 'ErrorEquals'> => ({
  IntervalSeconds: intervalSeconds,
  BackoffRate: backoffRate,
  // The specification wants the cap above the first interval; at or below it, there is nothing to cap but growth.
  ...(maxDelaySeconds > intervalSeconds ? { MaxDelaySeconds: maxDelaySeconds } : { BackoffRate: 1 }),
  MaxAttempts: maxAttempts,
  // Full jitter: executions that were throttled together do not come back together.
  JitterStrategy: 'FULL',
});

/** The first retrier that names an error decides, so that the hopeless ones stand before the catch-alls. */
const never = (...names: string[]): Retrier => ({ ErrorEquals: names, MaxAttempts: 0 });

const outage: Retry = { maxAttempts: 6, intervalSeconds: 2, backoffRate: 2, maxDelaySeconds: 60 };

/** A model that is busy or down comes back: 8 more attempts within 4 minutes. One that refuses will refuse again. */
export const modelRetriers: Retrier[] = [
  never('ModelRejected', 'ToolTerminal', 'ConfigurationError'),
  {
    ErrorEquals: ['ModelThrottled', 'ModelUnavailable'],
    ...backOff({ maxAttempts: 8, intervalSeconds: 2, backoffRate: 2, maxDelaySeconds: 60 }),
  },
  { ErrorEquals: anyFailure, ...backOff(outage) },
];

/** By the tool's own rule. The function itself sees to it that a repeated attempt does nothing twice. */
export const toolRetriers = (retry: Retry): Retrier[] => [
  never('ToolTerminal', 'TellModel', 'ConfigurationError'),
  { ErrorEquals: anyFailure, ...backOff(retry) },
];

/** `Ask` failed before the question was out. Not after a timeout: that one means that nobody answered. */
export const askRetriers: Retrier[] = [
  never('ConfigurationError'),
  { ErrorEquals: ['States.TaskFailed'], ...backOff(outage) },
];

/** A run must not stay open because Settle was out of breath. A conversation that is gone has no run to end. */
export const settleRetriers: Retrier[] = [
  never('NotFound', 'ConfigurationError'),
  { ErrorEquals: anyFailure, ...backOff(outage) },
];

/** A reminder that is due, or an effect that is to be undone, waits out an outage of a day. */
export const patientRetriers: Retrier[] = [
  never('ConfigurationError'),
  {
    ErrorEquals: anyFailure,
    ...backOff({ maxAttempts: 30, intervalSeconds: 2, backoffRate: 2, maxDelaySeconds: 3_600 }),
  },
];

/** Both names are in use: AWS adds "Exception", Step Functions Local does not. */
export const startRetriers: Retrier[] = [
  never('StepFunctions.ExecutionAlreadyExistsException', 'StepFunctions.ExecutionAlreadyExists'),
  { ErrorEquals: anyFailure, ...backOff(outage) },
];
