import { errorNames, StateFailure } from '../errors';
import { deepest, isObject, type Json, type JsonObject, jsonText, setField, typeName } from '../json';
import { allVariables, type Scope } from '../scope';
import { breathe, type Steps } from '../steps';
import { compileExpression as compileSource, parse } from './evaluator';
import { memoryExceeded } from './jsonata-bounds';
import { jsonataFunctions, replaceBuiltIns } from './jsonata-functions';

/** The content of `$states` beside the input and the context object, if the field may use it. */
interface StatesData {
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
    const { type, value } = parse(source).ast() as { type: string; value: unknown };
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
  const compiled = compileSource(source);
  replaceBuiltIns(compiled.expression);
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
    yield* breathe();
    let value: unknown;
    try {
      value = scope.work.evaluate(compiled, bindings(scope, states));
    } catch (error) {
      throw fail(`threw an ${describe(error, scope)}`);
    }
    if (value === undefined) throw fail('returned nothing (undefined).');
    return new PlainJson(
      () => fail('returned an unsupported result type.'),
      () => fail(`threw an ${describe(memoryExceeded(), scope)}`),
    ).of(value);
  };
}

const bindings = (scope: Scope, states: StatesData | undefined) => ({
  ...jsonataFunctions(scope),
  ...allVariables(scope.variables),
  states: { input: scope.input, context: scope.context(), ...states },
});

/** JSONata's errors have a code; what AWS itself refuses has none. A crash of the evaluator says nothing of its inside. */
function describe(error: unknown, scope: Scope): string {
  const { name, code, message } = error as { name?: string; code?: string; message?: string };
  // Errors of the evaluator are of another context: their classes are not those of this one.
  if (code === undefined && ['InternalError', 'TypeError', 'RangeError'].includes(String(name)))
    return `internal error during evaluation. ${scope.random().uuid()}`;
  return `error during evaluation${code === undefined ? ':' : `. ${code}:`} ${message}`;
}

/** No result of more values fits into a state's data. */
const mostValues = 1_000_000;

/** JSONata's results carry hidden marks, may hold functions, and the same part many times: JSON only leaves. */
class PlainJson {
  private values = 0;

  constructor(
    private readonly refuse: () => Error,
    private readonly tooLarge: () => Error,
  ) {}

  of(value: unknown, depth = 0): Json {
    this.values += 1;
    if (this.values > mostValues || depth > deepest) throw this.tooLarge();
    if (value === undefined) return null;
    if (typeof value === 'function') throw this.refuse();
    // JSON has no number for these; AWS writes their names.
    if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
    if (typeof value !== 'object' || value === null) return value as Json;
    if ('_jsonata_lambda' in value || '_jsonata_function' in value) throw this.refuse();
    if (Array.isArray(value)) return Array.from(value, (each) => this.of(each, depth + 1));
    const result: JsonObject = {};
    for (const [key, each] of Object.entries(value))
      if (each !== undefined) setField(result, key, this.of(each, depth + 1));
    return result;
  }
}

/** Evaluates a field whose type is fixed; another type is an error of the query. */
export function* typed(query: Query, source: Json, field: string, expected: string, scope: Scope): Steps<Json> {
  const value = yield* query(scope);
  if (typeName(value) === expected) return value;
  const text = typeof source === 'string' ? (expression.exec(source)?.[1]?.trim() ?? source) : jsonText(source);
  throw new StateFailure(
    errorNames.queryEvaluationError,
    `The JSONata expression '${text}' specified for the field '${field}' returned an unexpected result type. ` +
      `Expected '${expected}', but was '${typeName(value)}' for value: ${jsonText(value)}`,
    { location: field, evaluation: true },
  );
}
