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

/** What a failed state, task or execution says: the name that `ErrorEquals` matches and a text for people. */
export interface Failure {
  error?: string;
  cause?: string;
  /** A missed heartbeat is reported as `States.Timeout` and answers to `States.HeartbeatTimeout` as well. */
  heartbeat?: boolean;
  /** What the state machine itself got wrong while it ran: where in the state. Gives an EvaluationFailed event. */
  location?: string;
  evaluation?: boolean;
}

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

/** Errors that end the execution whatever its retriers and catchers say, unless they are named in `ErrorEquals`. */
const beyondAll = new Set<string>([errorNames.runtime, errorNames.dataLimitExceeded]);
/** Not even their own name is matched: "States.Runtime errors are not retriable, and always cause the execution to fail". */
const beyondAny = new Set<string>([errorNames.runtime]);

/** Section "Error names": does a retrier's or catcher's `ErrorEquals` cover this failure of a state of this type? */
export function covers(errorEquals: readonly string[], failure: Failure): boolean {
  const name = failure.error;
  if (name !== undefined && beyondAny.has(name)) return false;
  for (const pattern of errorEquals) {
    if (pattern === name) return true;
    if (pattern === errorNames.all) {
      if (name === undefined || !beyondAll.has(name)) return true;
    } else if (pattern === errorNames.taskFailed) {
      if (name !== errorNames.timeout && (name === undefined || !beyondAll.has(name))) return true;
    } else if (pattern === errorNames.heartbeatTimeout && failure.heartbeat) return true;
  }
  return false;
}
