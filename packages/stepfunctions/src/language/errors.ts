/** The error names that the States Language reserves (Appendix A of the specification). */
export const errorNames = {
  all: 'States.ALL',
  branchFailed: 'States.BranchFailed',
  dataLimitExceeded: 'States.DataLimitExceeded',
  exceedToleratedFailureThreshold: 'States.ExceedToleratedFailureThreshold',
  heartbeatTimeout: 'States.HeartbeatTimeout',
  http: 'States.Http.Socket',
  intrinsicFailure: 'States.IntrinsicFailure',
  itemReaderFailed: 'States.ItemReaderFailed',
  noChoiceMatched: 'States.NoChoiceMatched',
  parameterPathFailure: 'States.ParameterPathFailure',
  permissions: 'States.Permissions',
  queryEvaluationError: 'States.QueryEvaluationError',
  resultPathMatchFailure: 'States.ResultPathMatchFailure',
  resultWriterFailed: 'States.ResultWriterFailed',
  runtime: 'States.Runtime',
  taskFailed: 'States.TaskFailed',
  timeout: 'States.Timeout',
} as const;

/** The error of a failed state, task or execution: the name that `ErrorEquals` matches and a text for people. */
export interface Failure {
  error?: string;
  cause?: string;
  /** A missed heartbeat is reported as `States.Timeout` and answers to `States.HeartbeatTimeout` as well. */
  heartbeat?: boolean;
  /** The place in the state where the state machine itself made an error at run time. Gives an EvaluationFailed event. */
  location?: string;
  evaluation?: boolean;
}

/** Returns a failure as the state around the failed one sees it. */
export const handedUp = ({ error, cause, heartbeat }: Failure): Failure => ({ error, cause, heartbeat });

/** Thrown while a state is evaluated; the interpreter turns it into a Failure of that state. */
export class StateFailure extends Error {
  override readonly name = 'StateFailure';
  constructor(
    readonly error: string,
    /** Without the sentence on which state failed: the interpreter puts that in front. */
    readonly detail: string,
    readonly options: { location?: string; evaluation?: boolean; bare?: boolean } = {},
  ) {
    super(detail);
  }
}

export const runtimeFailure = (detail: string) => new StateFailure(errorNames.runtime, detail);

/** Section "Error names": does a retrier's or catcher's `ErrorEquals` cover this failure of a state of this type? */
export function covers(errorEquals: readonly string[], failure: Failure): boolean {
  const name = failure.error;
  // "States.Runtime errors are not retriable, and will always cause the execution to fail": not even by their own name.
  if (name === errorNames.runtime) return false;
  return errorEquals.some(
    (pattern) =>
      pattern === name ||
      pattern === errorNames.all ||
      (pattern === errorNames.taskFailed && name !== errorNames.timeout) ||
      (pattern === errorNames.heartbeatTimeout && failure.heartbeat === true),
  );
}

/** The maximum length of an error's name, and of its cause, in AWS's events. */
const longestText = { error: 256, cause: 32_768 };

const shortened = (text: string | undefined, most: number) =>
  text !== undefined && text.length > most ? text.slice(0, most).replace(/[\ud800-\udbff]$/, '') : text;

/** A failure as it can be told: its texts come from expressions, functions and services, and may be of any length. */
export const bounded = <T extends Failure>(failure: T): T => ({
  ...failure,
  error: shortened(failure.error, longestText.error),
  cause: shortened(failure.cause, longestText.cause),
});
