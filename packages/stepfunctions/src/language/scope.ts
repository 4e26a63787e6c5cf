import type { Json, JsonObject } from './json';
import type { Random } from './random';
import type { Work } from './work';

/** The variables of one state machine, branch or iteration, and those around it (section "Variables"). */
export interface Variables {
  values: JsonObject;
  readonly outer?: Variables | undefined;
}

/** The data that an expression can read. */
export interface Scope {
  /** `$` in JSONPath states. */
  readonly input: Json;
  /** `$$`, made only when somebody asks. */
  readonly context: () => JsonObject;
  readonly variables: Variables;
  readonly random: () => Random;
  /** The time of this transition, milliseconds since the epoch. */
  readonly time: number;
  readonly work: Work;
}

export function findVariable(variables: Variables, name: string): Json | undefined {
  for (let scope: Variables | undefined = variables; scope !== undefined; scope = scope.outer) {
    if (Object.hasOwn(scope.values, name)) return scope.values[name];
  }
  return undefined;
}

/** All variables in sight, the nearest winning. */
export function allVariables(variables: Variables): JsonObject {
  return variables.outer === undefined ? variables.values : { ...allVariables(variables.outer), ...variables.values };
}
