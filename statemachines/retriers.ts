import { modelRetry, type Retry, throttledRetry } from '../core/state/failed-attempts';
import type { Retrier } from './states';

/**
 * What AWS reports when a function could not be reached, crashed, ran out of memory or timed out. `States.TaskFailed`
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

const outage: Retry = { maxAttempts: 6, intervalSeconds: 2, backoffRate: 2, maxDelaySeconds: 60 };

/**
 * AWS has no capacity: a function's concurrency, or a table's. Lambda rejects such an invocation before it runs, and `Throttled` and
 * `ConversationBusy` are what a function reports that met it elsewhere. Each retrier counts for itself, so waiting for capacity uses
 * up no attempt of a tool.
 */
const throttled: Retrier = {
  ErrorEquals: [
    ...['Lambda.TooManyRequestsException', 'Lambda.EC2ThrottledException', 'Lambda.ENILimitReachedException'],
    ...['Throttled', 'ConversationBusy'],
  ],
  ...backOff(throttledRetry),
};

/**
 * A busy or unavailable model recovers. A model that rejects the request will do so
 * again.
 */
export const modelRetriers: Retrier[] = [
  never('ModelRejected', 'ToolTerminal', 'ConfigurationError'),
  {
    ErrorEquals: ['ModelThrottled', 'ModelUnavailable'],
    ...backOff(modelRetry),
  },
  throttled,
  { ErrorEquals: anyFailure, ...backOff(outage) },
];

/** Follows the tool's own `retry`. The function makes sure that a repeated attempt has no second effect. */
export const toolRetriers = (retry: Retry): Retrier[] => [
  // A function that does not exist was removed or replaced by a deployment. CallModel decides what follows.
  never('ToolTerminal', 'TellModel', 'ConfigurationError', 'NoSuchTool', 'Lambda.ResourceNotFoundException'),
  throttled,
  { ErrorEquals: anyFailure, ...backOff(retry) },
];

/** `Ask` failed before the question was stored. A timeout is not retried: it means that no answer came. */
export const askRetriers: Retrier[] = [
  never('ConfigurationError'),
  throttled,
  { ErrorEquals: ['States.TaskFailed'], ...backOff(outage) },
];

/** A run must not stay open because Settle was unavailable. A conversation that no longer exists has no run to end. */
export const settleRetriers: Retrier[] = [
  never('NotFound', 'ConfigurationError'),
  throttled,
  { ErrorEquals: anyFailure, ...backOff(outage) },
];

/** A due timer or an effect to undo outlasts an outage of a day. */
export const patientRetriers: Retrier[] = [
  never('ConfigurationError'),
  throttled,
  {
    ErrorEquals: anyFailure,
    ...backOff({ maxAttempts: 30, intervalSeconds: 2, backoffRate: 2, maxDelaySeconds: 3_600 }),
  },
];

/** AWS adds "Exception" to the name, Step Functions Local does not. */
export const startRetriers: Retrier[] = [
  never('StepFunctions.ExecutionAlreadyExistsException', 'StepFunctions.ExecutionAlreadyExists'),
  { ErrorEquals: anyFailure, ...backOff(outage) },
];
