import {
  guardRetry,
  outageRetry,
  patientRetry,
  type Retry,
  throttledErrors,
  throttledRetry,
} from '../core/base/state/failed-attempts';
import type { Retrier } from './states';

/**
 * The errors that AWS reports when a function could not be reached, crashed, ran out of memory or timed out. `States.TaskFailed`
 * matches every error except a timeout, so a retrier with these names comes last.
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
  // The cap must exceed the first interval. If it does not, the interval stays constant instead.
  ...(maxDelaySeconds > intervalSeconds ? { MaxDelaySeconds: maxDelaySeconds } : { BackoffRate: 1 }),
  MaxAttempts: maxAttempts,
  // Full jitter: executions that were throttled together do not retry together.
  JitterStrategy: 'FULL',
});

/** The first retrier that names an error decides, so permanent errors come before the catch-all. */
const never = (...names: string[]): Retrier => ({ ErrorEquals: names, MaxAttempts: 0 });

/**
 * AWS has no capacity: a function's concurrency, or a table's. Each retrier counts for itself, so waiting for capacity uses up no
 * attempt of a tool.
 */
const throttled: Retrier = { ErrorEquals: [...throttledErrors], ...backOff(throttledRetry) };

/** Errors of CallModel that end the run. */
const permanent = ['ModelRejected', 'ToolTerminal', 'ConfigurationError', 'UnreadableRow'];

/** A model that does not answer is no failure of the function, which decides when it is asked again: then the execution waits in Sleep. */
export const modelRetriers: Retrier[] = [
  never(...permanent),
  throttled,
  { ErrorEquals: ['GuardFailed'], ...backOff(guardRetry) },
  { ErrorEquals: anyFailure, ...backOff(outageRetry) },
];

/** Follows the tool's own `retry`. The function makes sure that a repeated attempt has no second effect. */
export const toolRetriers = (retry: Retry): Retrier[] => [
  // A function that does not exist was removed or replaced by a deployment. CallModel decides what follows.
  never(
    'ToolTerminal',
    'TellModel',
    'ConfigurationError',
    'UnreadableRow',
    'NoSuchTool',
    'Lambda.ResourceNotFoundException',
  ),
  throttled,
  { ErrorEquals: anyFailure, ...backOff(retry) },
];

/** `Ask` failed before the question was stored. A timeout is not retried: it means that no answer came. */
export const askRetriers: Retrier[] = [
  never('ConfigurationError', 'UnreadableRow'),
  throttled,
  { ErrorEquals: ['States.TaskFailed'], ...backOff(outageRetry) },
];

/** A run must not stay open because Settle was unavailable. A conversation that no longer exists has no run to end. */
export const settleRetriers: Retrier[] = [
  never('NotFound', 'ConfigurationError', 'UnreadableRow'),
  throttled,
  { ErrorEquals: anyFailure, ...backOff(outageRetry) },
];

export const patientRetriers: Retrier[] = [
  never('ConfigurationError'),
  throttled,
  { ErrorEquals: anyFailure, ...backOff(patientRetry) },
];

/** AWS adds "Exception" to the name, Step Functions Local does not. */
export const startRetriers: Retrier[] = [
  never('StepFunctions.ExecutionAlreadyExistsException', 'StepFunctions.ExecutionAlreadyExists'),
  { ErrorEquals: anyFailure, ...backOff(outageRetry) },
];
