/**
 * The part of the Amazon States Language that Vigil's machines use: JSONPath, within what Step Functions Local 2.0.0
 * runs. The names are those of the specification (states-language.net).
 */
/** What states call. The stack fills in its partition: another one's is refused where the stack runs in GovCloud or China. */
export const integrations = {
  invoke: 'arn:${Partition}:states:::lambda:invoke',
  invokeAndWait: 'arn:${Partition}:states:::lambda:invoke.waitForTaskToken',
  startExecution: 'arn:${Partition}:states:::states:startExecution',
};

export interface Retrier {
  ErrorEquals: string[];
  MaxAttempts: number;
  IntervalSeconds?: number;
  BackoffRate?: number;
  MaxDelaySeconds?: number;
  JitterStrategy?: 'FULL' | 'NONE';
}

export interface Catcher {
  Comment?: string;
  ErrorEquals: string[];
  /** The place of the error in the state's input, which then goes to `Next`. */
  ResultPath: string;
  Next: string;
}

interface Base {
  Comment: string;
  InputPath?: string;
  OutputPath?: string;
}

/** The transition after the state. */
type Flow = { Next: string; End?: never } | { End: true; Next?: never };

export type TaskState = Base &
  Flow & {
    Type: 'Task';
    Resource: string;
    Parameters: Record<string, unknown>;
    ResultSelector?: Record<string, string>;
    ResultPath?: string | null;
    TimeoutSeconds?: number;
    TimeoutSecondsPath?: string;
    Retry: Retrier[];
    Catch?: Catcher[];
  };

type WaitState = Base & Flow & { Type: 'Wait'; TimestampPath?: string; SecondsPath?: string };

export type PassState = Base & Flow & { Type: 'Pass'; Result?: unknown; ResultPath?: string };

export type MapState = Base &
  Flow & {
    Type: 'Map';
    ItemsPath: string;
    ItemSelector: Record<string, unknown>;
    ItemProcessor: { ProcessorConfig: { Mode: 'INLINE' }; StartAt: string; States: Record<string, State> };
    MaxConcurrency: number;
    ResultPath: string;
  };

export interface ChoiceRule {
  Variable: string;
  StringEquals?: string;
  StringMatches?: string;
  Next: string;
}

export interface ChoiceState extends Base {
  Type: 'Choice';
  Choices: ChoiceRule[];
  Default: string;
}

interface SucceedState extends Base {
  Type: 'Succeed';
}

interface FailState extends Base {
  Type: 'Fail';
  /** Both are paths: a Fail state passes on the caught error. */
  ErrorPath: string;
  CausePath: string;
}

export type State = TaskState | WaitState | PassState | MapState | ChoiceState | SucceedState | FailState;

export interface StateMachineDefinition {
  Comment: string;
  StartAt: string;
  /** Of a whole execution. */
  TimeoutSeconds?: number;
  States: Record<string, State>;
}
