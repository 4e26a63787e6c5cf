import { type DataFlow, type ErrorOutput, type RuleOutput, type StateOutput, withInput } from '../execution/data-flow';
import { runtimeFailure } from '../language/errors';
import type { Json, JsonObject } from '../language/json';
import { PathNotFound } from '../language/paths/json-path';
import { compilePath } from '../language/paths/path-expression';
import { writePath } from '../language/paths/reference-path';
import { compileTemplate } from '../language/payload-template';
import type { Scope } from '../language/scope';
import type { Steps } from '../language/steps';

type Transform = (scope: Scope) => Json;

/** InputPath and OutputPath: absent, or `$`, they hand on what there is; null gives an empty object. */
function pathField(value: Json | undefined): Transform {
  if (value === undefined || value === '$') return self;
  if (value === null) return () => ({});
  return pathReader(String(value));
}

/** Reads a path that a field of the state names, with AWS's sentence where it leads nowhere. */
export function pathReader(text: string): Transform {
  const path = compilePath(text);
  return (scope) => {
    try {
      return path.read(scope);
    } catch (error) {
      if (!(error instanceof PathNotFound)) throw error;
      throw runtimeFailure(`Invalid path '${text}' : ${error.message}`);
    }
  };
}

/** ResultPath: null discards the result, absent replaces the input. */
function resultPath(value: Json | undefined): (input: Json, result: Json) => Json {
  if (value === null) return (input) => input;
  if (value === undefined || value === '$') return (_, result) => result;
  const { path } = compilePath(String(value));
  return (input, result) => writePath(path, input, result);
}

const self: Transform = (scope) => scope.input;

export function jsonPathFlow(fields: JsonObject): DataFlow {
  const inputPath = pathField(fields.InputPath);
  const outputPath = pathField(fields.OutputPath);
  const parameters = fields.Parameters === undefined ? undefined : compileTemplate(fields.Parameters);
  const selector = fields.ResultSelector === undefined ? undefined : compileTemplate(fields.ResultSelector);
  const combine = resultPath(fields.ResultPath);
  const assign = fields.Assign === undefined ? undefined : compileTemplate(fields.Assign);
  return {
    input: inputPath,
    ...(parameters && {
      // biome-ignore lint/correctness/useYield: in JSONPath nothing waits
      *arguments(scope: Scope) {
        return parameters(scope);
      },
    }),
    // biome-ignore lint/correctness/useYield: in JSONPath nothing waits
    *output(scope, result): Steps<StateOutput> {
      const effective = result === undefined ? inputPath(scope) : (selector?.(withInput(scope, result)) ?? result);
      const assigned = assign?.(withInput(scope, effective)) as JsonObject | undefined;
      const combined = result === undefined ? effective : combine(scope.input, effective);
      return { output: outputPath(withInput(scope, combined)), assigned };
    },
  };
}

/** A catcher or a choice rule in JSONPath. Without an Assign of its own it sets no variables. */
export function jsonPathRule(fields: JsonObject): RuleOutput {
  const combine = resultPath(fields.ResultPath);
  const assign = fields.Assign === undefined ? undefined : compileTemplate(fields.Assign);
  // biome-ignore lint/correctness/useYield: in JSONPath nothing waits
  return function* (scope: Scope, errorOutput?: ErrorOutput): Steps<StateOutput> {
    if (errorOutput === undefined) return { output: scope.input, assigned: assign?.(scope) as JsonObject | undefined };
    return {
      output: combine(scope.input, errorOutput),
      assigned: assign?.(withInput(scope, errorOutput)) as JsonObject | undefined,
    };
  };
}
