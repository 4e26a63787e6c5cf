import jsonata from 'jsonata';
import { errorNames, StateFailure } from '../errors';
import { isObject, type Json, type JsonObject, setField, typeName } from '../json';
import { allVariables, type Scope } from '../scope';
import { awaiting, type Steps } from '../steps';
import { bound, newCount } from './jsonata-bounds';
import { InternalError, jsonataFunctions, replaceBuiltIns } from './jsonata-functions';

/** What `$states` holds beside the input and the context object, where the field may use it. */
export interface StatesData {
  result?: Json;
  errorOutput?: Json;
}

export type Query = (scope: Scope, states?: StatesData) => Steps<Json>;

const expression = /^\{%([\s\S]*)%\}$/;

export const isQuery = (text: string): boolean => expression.test(text);

/** The expression in a text of the form `{% … %}`. */
export const expressionSource = (text: string): string | undefined => expression.exec(text)?.[1]?.trim();

/** The text of a field that is the same whatever the state's data are: plain text, or an expression that is a literal. */
export function fixedText(text: string): string | undefined {
  const source = expression.exec(text)?.[1];
  if (source === undefined) return text;
  try {
    const { type, value } = jsonata(source).ast() as { type: string; value: unknown };
    return type === 'string' ? String(value) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Section "JSONata": every string of the form `{% … %}` inside the field is evaluated; everything else is as it stands.
 * @param field the field's name, as failures name it: `Output/result`
 * Throws jsonata's own error where an expression does not parse.
 */
export function compileQuery(value: Json, field: string): Query {
  return compile(value, field) ?? constant(value);
}

function constant(value: Json): Query {
  // biome-ignore lint/correctness/useYield: there is nothing to evaluate
  return function* () {
    return value;
  };
}

/** Undefined where nothing in the value is an expression. */
function compile(value: Json, field: string): Query | undefined {
  if (typeof value === 'string') {
    const source = expression.exec(value)?.[1];
    return source === undefined ? undefined : compileExpression(source.trim(), field);
  }
  if (Array.isArray(value)) return compileArray(value, field);
  return isObject(value) ? compileObject(value, field) : undefined;
}

function compileArray(value: Json[], field: string): Query | undefined {
  const parts = value.map((each, i) => compile(each, `${field}[${i}]`));
  if (parts.every((part) => part === undefined)) return undefined;
  return function* (scope, states) {
    const result: Json[] = [];
    for (const [i, part] of parts.entries()) result.push(part === undefined ? value[i]! : yield* part(scope, states));
    return result;
  };
}

function compileObject(value: JsonObject, field: string): Query | undefined {
  const parts = Object.entries(value).map(([key, each]) => ({ key, each, part: compile(each, `${field}/${key}`) }));
  if (parts.every(({ part }) => part === undefined)) return undefined;
  return function* (scope, states) {
    const result: JsonObject = {};
    for (const { key, each, part } of parts)
      setField(result, key, part === undefined ? each : yield* part(scope, states));
    return result;
  };
}

function compileExpression(source: string, field: string): Query {
  const compiled = jsonata(source);
  replaceBuiltIns(compiled);
  bound(compiled);
  const fail = (detail: string) =>
    new StateFailure(
      errorNames.queryEvaluationError,
      `The JSONata expression '${source}' specified for the field '${field}' ${detail}`,
      {
        location: field,
        evaluation: true,
      },
    );
  return function* (scope, states) {
    let value: unknown;
    try {
      value = yield* awaiting(Promise.resolve(compiled.evaluate({}, bindings(scope, states))));
    } catch (error) {
      throw fail(`threw an ${describe(error, scope)}`);
    }
    if (value === undefined) throw fail('returned nothing (undefined).');
    return plain(value, () => fail('returned an unsupported result type.'));
  };
}

const bindings = (scope: Scope, states: StatesData | undefined) => ({
  ...jsonataFunctions(scope),
  ...allVariables(scope.variables),
  states: { input: scope.input, context: scope.context(), ...states },
  ...newCount(),
});

/** JSONata's errors have a code; what AWS itself refuses has none. A crash of the evaluator says nothing of its inside. */
function describe(error: unknown, scope: Scope): string {
  if ([InternalError, TypeError, RangeError].some((kind) => error instanceof kind))
    return `internal error during evaluation. ${scope.random().uuid()}`;
  const { code, message } = error as { code?: string; message?: string };
  return `error during evaluation${code === undefined ? ':' : `. ${code}:`} ${message}`;
}

/** JSONata's results carry hidden marks, and may hold functions: JSON only leaves. */
function plain(value: unknown, refuse: () => Error): Json {
  if (value === undefined) return null;
  if (typeof value === 'function') throw refuse();
  // JSON has no number for these; AWS writes their names.
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (typeof value !== 'object' || value === null) return value as Json;
  if (value instanceof RegExp || '_jsonata_lambda' in value || '_jsonata_function' in value) throw refuse();
  if (Array.isArray(value)) return value.map((each) => plain(each, refuse));
  const result: JsonObject = {};
  for (const [key, each] of Object.entries(value)) if (each !== undefined) setField(result, key, plain(each, refuse));
  return result;
}

/** Evaluates a field whose type is fixed; another type is an error of the query. */
export function* typed(query: Query, source: Json, field: string, expected: string, scope: Scope): Steps<Json> {
  const value = yield* query(scope);
  if (typeName(value) === expected) return value;
  const text = typeof source === 'string' ? (expression.exec(source)?.[1]?.trim() ?? source) : JSON.stringify(source);
  throw new StateFailure(
    errorNames.queryEvaluationError,
    `The JSONata expression '${text}' specified for the field '${field}' returned an unexpected result type. ` +
      `Expected '${expected}', but was '${typeName(value)}' for value: ${JSON.stringify(value)}`,
    { location: field, evaluation: true },
  );
}
