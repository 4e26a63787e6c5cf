import { errorNames, runtimeFailure, StateFailure } from '../language/errors';
import { type JsonObject, jsonText } from '../language/json';
import { compileQuery, expressionSource, isQuery, typed } from '../language/jsonata/jsonata-template';
import type { Scope } from '../language/scope';
import type { Steps } from '../language/steps';
import { pathReader } from './jsonpath-flow';

export type NumberField = (scope: Scope) => Steps<number | undefined>;

/** A field that is a number, a path (`<name>Path`) or a JSONata expression: timeouts, heartbeats and a map's limits. */
export function numberField(fields: JsonObject, name: string, jsonata: boolean): NumberField {
  const fixed = fields[name];
  if (jsonata && typeof fixed === 'string' && isQuery(fixed)) {
    const query = compileQuery(fixed, name);
    return function* (scope) {
      const value = Number(yield* typed(query, fixed, name, 'number', scope));
      if (Number.isInteger(value) || fractional.has(name)) return value;
      throw noInteger(name, fixed, value);
    };
  }
  const dynamic = fields[`${name}Path`];
  const read = typeof dynamic === 'string' ? pathNumber(dynamic, `${name}Path`) : () => fixed as number | undefined;
  // biome-ignore lint/correctness/useYield: in JSONPath nothing waits
  return function* (scope) {
    return read(scope);
  };
}

const fractional = new Set(['ToleratedFailurePercentage']);

const noInteger = (field: string, source: string, value: number) =>
  new StateFailure(
    errorNames.queryEvaluationError,
    `The JSONata expression '${expressionSource(source)}' specified for the field '${field}' returned an unexpected ` +
      `result type. Expected 'integer', but was 'number' for value: ${value}`,
    { location: field, evaluation: true },
  );

function pathNumber(text: string, field: string): (scope: Scope) => number {
  const read = pathReader(text);
  const kind = fractional.has(field.slice(0, -'Path'.length)) ? 'float' : 'integer';
  return (scope) => {
    const value = read(scope);
    // A number may be given as text.
    const isText = typeof value === 'string' && /^[+-]?\d+(\.\d+)?$/.test(value);
    const number = isText || typeof value === 'bigint' ? Number(value) : value;
    if (typeof number === 'number' && (kind === 'float' || Number.isInteger(number))) return number;
    const said = typeof value === 'string' ? value : jsonText(value);
    throw runtimeFailure(`The ${field} field refers to value "${said}" which is not a valid ${kind}: ${text}`);
  };
}
