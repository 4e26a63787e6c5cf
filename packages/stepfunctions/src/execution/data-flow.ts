import type { Json, JsonObject } from '../language/json';
import type { Scope } from '../language/scope';
import type { Steps } from '../language/steps';

/** The output of a state: the next state's input and the variables that it sets. */
export interface StateOutput {
  output: Json;
  assigned?: JsonObject | undefined;
}

/** Section "Input and output processing": the way of the data through a state, in one of the two query languages. */
export interface DataFlow {
  /** InputPath; in JSONata the input as it is. */
  input(scope: Scope): Json;
  /** Parameters or Arguments, over the result of `input`; without that field, undefined. */
  readonly arguments?: (scope: Scope) => Steps<Json>;
  /** Applies the fields that follow the state's work: ResultSelector, ResultPath, OutputPath and Assign, or Output and Assign. */
  output(scope: Scope, result: Json | undefined): Steps<StateOutput>;
}

/** `{Error, Cause}` as a catcher hands it on. */
export type ErrorOutput = { Error: Json; Cause: Json };

/** The output and the variables of one choice rule or catcher; its own fields win over the state's. */
export type RuleOutput = (scope: Scope, errorOutput?: ErrorOutput) => Steps<StateOutput>;

export const withInput = (scope: Scope, input: Json): Scope => ({ ...scope, input });
