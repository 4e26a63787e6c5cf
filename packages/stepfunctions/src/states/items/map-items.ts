import type { MapItem } from '../../execution/execution';
import { errorNames, runtimeFailure, StateFailure } from '../../language/errors';
import { isObject, type Json, type JsonObject, jsonText } from '../../language/json';
import { compileQuery, isQuery, typed } from '../../language/jsonata/jsonata-template';
import { compileTemplate } from '../../language/payload-template';
import type { Scope } from '../../language/scope';
import type { Steps } from '../../language/steps';
import { pathReader } from '../jsonpath-flow';

type Items = (scope: Scope, distributed: boolean) => Steps<MapItem[]>;

/** ItemsPath or Items: what a Map state iterates over. A distributed map also takes an object, field by field. */
export function compileItems(fields: JsonObject, jsonata: boolean): Items {
  if (jsonata) return queried(fields);
  const text = (fields.ItemsPath as string | undefined) ?? '$';
  const read = pathReader(text);
  // biome-ignore lint/correctness/useYield: in JSONPath nothing waits
  return function* (scope, distributed) {
    const value = read(scope);
    const items = toItems(value, distributed);
    if (items === undefined) throw runtimeFailure(`Reference path "${text}" must point to array.`);
    return items;
  };
}

function queried(fields: JsonObject): Items {
  const source = fields.Items;
  if (source === undefined) {
    // biome-ignore lint/correctness/useYield: the input is there
    return function* (scope, distributed) {
      const items = toItems(scope.input, distributed);
      if (items !== undefined) return items;
      throw new StateFailure(
        errorNames.queryEvaluationError,
        `Map state input must be an array but was: ${jsonText(scope.input)}`,
        { evaluation: true },
      );
    };
  }
  const query = compileQuery(source, 'Items');
  const checked = typeof source === 'string' && isQuery(source);
  return function* (scope, distributed) {
    const found = distributed || !checked ? yield* query(scope) : yield* typed(query, source, 'Items', 'array', scope);
    return toItems(found, true) ?? toItems(yield* typed(query, source, 'Items', 'array', scope), false)!;
  };
}

function toItems(value: Json, alsoObjects: boolean): MapItem[] | undefined {
  if (Array.isArray(value)) return value.map((each, index) => ({ index, value: each }));
  if (!alsoObjects || !isObject(value)) return undefined;
  return Object.entries(value).map(([key, each], index) => ({ index, value: each, key }));
}

/** ItemSelector, or Parameters as it was called once: makes an iteration's input. */
export function compileSelector(fields: JsonObject, jsonata: boolean): ((scope: Scope) => Steps<Json>) | undefined {
  const selector = fields.ItemSelector ?? (jsonata ? undefined : fields.Parameters);
  if (selector === undefined) return undefined;
  if (jsonata) return compileQuery(selector, 'ItemSelector');
  const template = compileTemplate(selector);
  // biome-ignore lint/correctness/useYield: in JSONPath nothing waits
  return function* (scope) {
    return template(scope);
  };
}
