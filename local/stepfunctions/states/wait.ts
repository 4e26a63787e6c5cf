import { errorNames, runtimeFailure, StateFailure } from '../language/errors';
import type { Json, JsonObject } from '../language/json';
import { PathNotFound } from '../language/json-path';
import { compileQuery, typed } from '../language/jsonata-template';
import { compilePath } from '../language/path-expression';
import type { Scope } from '../language/scope';
import type { Steps } from '../language/steps';
import { parseTimestamp } from '../language/timestamp';
import type { CompileContext } from './compile';
import { type State, waits } from './state';

/** Milliseconds since the epoch, given the time at which the state was entered. */
type WakeTime = (scope: Scope, entered: number) => Steps<number>;

/** "Seconds … up to 99999999" */
const longest = 99_999_999;

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

const shown = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

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

function fixedOrPath(fields: JsonObject): WakeTime {
  const { Seconds, SecondsPath, Timestamp, TimestampPath } = fields;
  const seconds = typeof SecondsPath === 'string' ? timeReader(SecondsPath, 'SecondsPath') : undefined;
  const timestamp = typeof TimestampPath === 'string' ? timeReader(TimestampPath, 'TimestampPath') : undefined;
  // biome-ignore lint/correctness/useYield: in JSONPath nothing waits
  return function* (scope, entered) {
    if (Seconds !== undefined) return entered + (Seconds as number) * 1000;
    if (Timestamp !== undefined) return parseTimestamp(Timestamp as string) ?? entered;
    if (seconds) {
      const value = seconds(scope);
      if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= longest)
        return entered + value * 1000;
      const problem = !Number.isInteger(value)
        ? 'cannot be parsed as a long value'
        : (value as number) < 0
          ? 'references a negative value'
          : `references a value greater than ${longest}`;
      throw runtimeFailure(`The SecondsPath parameter ${problem}: ${SecondsPath} == ${shown(value)}`);
    }
    const value = timestamp!(scope);
    const time = typeof value === 'string' ? parseTimestamp(value) : undefined;
    if (time !== undefined) return time;
    throw runtimeFailure(
      `The TimestampPath parameter does not reference a valid ISO-8601 extended offset date-time format string: ${TimestampPath} == ${shown(value)}`,
    );
  };
}

function queried(fields: JsonObject): WakeTime {
  const name = fields.Seconds !== undefined ? 'Seconds' : 'Timestamp';
  const source = fields[name]!;
  const query = compileQuery(source, name);
  const fail = (detail: string) =>
    new StateFailure(errorNames.queryEvaluationError, detail, { location: name, evaluation: true });
  return function* (scope, entered) {
    if (name === 'Seconds') {
      const value = (yield* typed(query, source, name, 'number', scope)) as number;
      if (Number.isInteger(value) && value >= 0 && value <= longest) return entered + value * 1000;
      throw fail(
        `The JSONata expression '${source}' specified for the field 'Seconds' returned a value that is not an integer between 0 and ${longest}: ${value}`,
      );
    }
    const value = (yield* typed(query, source, name, 'string', scope)) as string;
    const time = parseTimestamp(value);
    if (time !== undefined) return time;
    throw fail(
      `The JSONata expression '${source}' specified for the field 'Timestamp' does not give a valid ISO-8601 extended offset date-time format string: ${value}`,
    );
  };
}
