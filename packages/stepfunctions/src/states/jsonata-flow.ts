import type { DataFlow, RuleOutput } from '../execution/data-flow';
import type { Json, JsonObject } from '../language/json';
import { compileQuery, type Query } from '../language/jsonata/jsonata-template';
import type { Scope } from '../language/scope';

const optional = (fields: JsonObject, name: string, at = ''): Query | undefined =>
  fields[name] === undefined ? undefined : compileQuery(fields[name], at + name);

export function jsonataFlow(fields: JsonObject): DataFlow {
  const args = optional(fields, 'Arguments');
  const output = optional(fields, 'Output');
  const assign = optional(fields, 'Assign');
  return {
    input: (scope: Scope): Json => scope.input,
    ...(args && { arguments: (scope) => args(scope) }),
    *output(scope, result) {
      const states = result === undefined ? {} : { result };
      const assigned = assign && ((yield* assign(scope, states)) as JsonObject);
      return { output: output ? yield* output(scope, states) : (result ?? scope.input), assigned };
    },
  };
}

/** A catcher or a choice rule in JSONata. */
export function jsonataRule(fields: JsonObject, at: string): RuleOutput {
  const output = optional(fields, 'Output', `${at}/`);
  const assign = optional(fields, 'Assign', `${at}/`);
  return function* (scope, errorOutput) {
    const states = errorOutput === undefined ? {} : { errorOutput };
    const assigned = assign && ((yield* assign(scope, states)) as JsonObject);
    const fallback: Json = errorOutput ?? scope.input;
    return { output: output ? yield* output(scope, states) : fallback, assigned };
  };
}
