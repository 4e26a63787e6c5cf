import { runtimeFailure } from './errors';
import { compileIntrinsic, isIntrinsic } from './intrinsics/intrinsic';
import { isObject, type Json, type JsonObject, jsonText, setField } from './json';
import { PathNotFound } from './paths/json-path';
import { compilePath } from './paths/path-expression';
import type { Scope } from './scope';

export type Template = (scope: Scope) => Json;

/**
 * Section "Payload template": in a field whose name ends in `.$` the value is a path or an intrinsic function, and the field
 * appears without the suffix. Parts without such fields are shared with the definition, never copied.
 */
export function compileTemplate(template: Json): Template {
  return compile(template) ?? (() => template);
}

/** Undefined where nothing in the value is dynamic. */
function compile(value: Json): Template | undefined {
  if (Array.isArray(value)) {
    const parts = value.map(compile);
    if (parts.every((part) => part === undefined)) return undefined;
    return (scope) => value.map((each, i) => parts[i]?.(scope) ?? each);
  }
  if (!isObject(value)) return undefined;
  const fields = Object.entries(value).map(([key, each]) => field(key, each));
  if (fields.every(({ dynamic }) => dynamic === undefined)) return undefined;
  return (scope) => {
    const result: JsonObject = {};
    for (const { name, fixed, dynamic } of fields)
      setField(result, name, dynamic === undefined ? fixed : dynamic(scope));
    return result;
  };
}

function field(key: string, value: Json): { name: string; fixed: Json; dynamic: Template | undefined } {
  if (key.endsWith('.$') && typeof value === 'string') {
    return { name: key.slice(0, -2), fixed: value, dynamic: compileDynamic(value, key) };
  }
  return { name: key, fixed: value, dynamic: compile(value) };
}

/** The value of a `.$` field named `key`. Throws InvalidPath. */
function compileDynamic(text: string, key: string): Template {
  if (isIntrinsic(text)) return compileIntrinsic(text);
  const path = compilePath(text);
  return (scope) => {
    try {
      return path.read(scope);
    } catch (error) {
      if (!(error instanceof PathNotFound)) throw error;
      if (error.instead !== undefined) return error.instead;
      throw runtimeFailure(
        `The JSONPath '${text}' specified for the field '${key}' could not be found in the input '${jsonText(path.root(scope))}'`,
      );
    }
  };
}
