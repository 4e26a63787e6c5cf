import type { DataFlow, RuleOutput, StateOutput } from '../execution/data-flow';
import { dataLimit, tooLarge } from '../execution/failure';
import { type Json, longerThan } from '../language/json';

/**
 * "Maximum input or output size for a task, state, or execution", where the state itself makes the data: what Parameters or
 * Arguments give, and the variables of one Assign. The interpreter measures the output.
 */
export function limitedFlow(flow: DataFlow, name: string): DataFlow {
  const { arguments: args } = flow;
  return {
    ...flow,
    ...(args && {
      *arguments(scope) {
        return within(yield* args(scope), name);
      },
    }),
    *output(scope, result) {
      return limitedVariables(yield* flow.output(scope, result), name);
    },
  };
}

/** The same for a choice rule or a catcher. */
export const limitedRule = (rule: RuleOutput, name: string): RuleOutput =>
  function* (scope, errorOutput) {
    return limitedVariables(yield* rule(scope, errorOutput), name);
  };

function limitedVariables(leaving: StateOutput, name: string): StateOutput {
  if (leaving.assigned) within(leaving.assigned, name);
  return leaving;
}

function within(value: Json, name: string): Json {
  if (longerThan(value, dataLimit)) throw tooLarge(name);
  return value;
}
