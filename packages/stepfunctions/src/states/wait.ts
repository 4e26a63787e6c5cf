import { type State, waits } from '../execution/state';
import { errorNames, runtimeFailure, StateFailure } from '../language/errors';
import { type Json, type JsonObject, jsonText } from '../language/json';
import { compileQuery, expressionSource, typed } from '../language/jsonata/jsonata-template';
import { PathNotFound } from '../language/paths/json-path';
import { compilePath } from '../language/paths/path-expression';
import type { Scope } from '../language/scope';
import type { Steps } from '../language/steps';
import { parseOffsetDateTime } from '../language/timestamp';
import type { CompileContext } from './compile';

/** Milliseconds since the epoch, given the time at which the state was entered. */
type WakeTime = (scope: Scope, entered: number) => Steps<number>;

/** "Seconds … up to 99999999" */
const longest = 99_999_999;

/** AWS counts the seconds until a time in 32 bits. */
const furthest = 2_147_483_647_000;

/** Section "Wait state": sleeps for a number of seconds or until a time. */
export function compileWait(fields: JsonObject, context: CompileContext): State {
  const base = context.base(fields);
  const wakeTime = context.jsonata ? queried(fields) : fixedOrPath(fields);
  return {
    ...base,
    *enter(transition, branch) {
      const scope = transition.scope(branch);
      const at = yield* wakeTime(
        context.jsonata ? scope : { ...scope, input: base.flow.input(scope) },
        transition.time,
      );
      if (at <= transition.time) return { kind: 'result', result: undefined };
      const scale = transition.execution.identity.waitScale ?? 1;
      branch.waiting = { kind: 'until', at: transition.time + (at - transition.time) * scale };
      return waits;
    },
  };
}

/** Returns the problem with a number of seconds. */
function secondsProblem(seconds: number): string | undefined {
  if (!Number.isInteger(seconds)) return 'cannot be parsed as a long value';
  if (seconds < 0) return 'references a negative value';
  return seconds > longest ? `references a value greater than ${longest}` : undefined;
}

/** Returns the problem with the time that a text gave. */
function timeProblem(time: number | undefined, entered: number): string | undefined {
  if (time === undefined) return 'does not reference a valid ISO-8601 extended offset date-time format string';
  return time - entered > furthest ? 'references a timestamp too far in the future' : undefined;
}

const timeIn = (value: Json): number | undefined =>
  typeof value === 'string' ? parseOffsetDateTime(value) : undefined;

function timeReader(text: string, field: string): (scope: Scope) => Json {
  const path = compilePath(text);
  return (scope) => {
    try {
      return path.read(scope);
    } catch (error) {
      if (!(error instanceof PathNotFound)) throw error;
      throw runtimeFailure(`The ${field} parameter does not reference an input value: ${text}`);
    }
  };
}

/** The value of the field of these four that the state has, and how failures name it. */
function fieldOf(fields: JsonObject): { name: string; given: string; read: (scope: Scope) => Json } {
  for (const name of ['Seconds', 'Timestamp']) {
    const fixed = fields[name];
    if (fixed !== undefined) return { name, given: String(fixed), read: () => fixed };
  }
  const name = fields.SecondsPath !== undefined ? 'SecondsPath' : 'TimestampPath';
  const given = String(fields[name]);
  return { name, given, read: timeReader(given, name) };
}

function fixedOrPath(fields: JsonObject): WakeTime {
  const { name, given, read } = fieldOf(fields);
  const inSeconds = name.startsWith('Seconds');
  // biome-ignore lint/correctness/useYield: in JSONPath nothing waits
  return function* (scope, entered) {
    const value = read(scope);
    // A number may be given as text.
    const isText = typeof value === 'string' && /^[+-]?\d+$/.test(value);
    const seconds = isText || typeof value === 'bigint' ? Number(value) : value;
    const at = inSeconds ? entered + (seconds as number) * 1000 : timeIn(value);
    const problem = inSeconds ? secondsProblem(seconds as number) : timeProblem(at, entered);
    if (problem === undefined) return at!;
    const shown = typeof value === 'string' ? value : jsonText(value);
    throw runtimeFailure(`The ${name} parameter ${problem}: ${given} == ${shown}`);
  };
}

function queried(fields: JsonObject): WakeTime {
  const name = fields.Seconds !== undefined ? 'Seconds' : 'Timestamp';
  const source = fields[name]!;
  const query = compileQuery(source, name);
  const expected = name === 'Seconds' ? 'number' : 'string';
  return function* (scope, entered) {
    const value = yield* typed(query, source, name, expected, scope);
    const at = name === 'Seconds' ? entered + Number(value) * 1000 : timeIn(value);
    const problem = name === 'Seconds' ? secondsProblem(Number(value)) : timeProblem(at, entered);
    if (problem === undefined) return at!;
    const given = expressionSource(String(source)) ?? source;
    const said =
      name === 'Timestamp' && at === undefined
        ? `The Timestamp field cannot be parsed as an ISO-8601 extended offset date-time format string: ${value}`
        : `The ${name} parameter ${problem}: ${given} == ${value}`;
    throw new StateFailure(errorNames.queryEvaluationError, said, {
      location: name,
      evaluation: true,
    });
  };
}
