import { runtimeFailure } from '../errors';
import type { Json } from '../json';
import { findVariable, type Scope } from '../scope';
import { InvalidPath, type JsonPath, PathNotFound, parseJsonPath } from './json-path';
import { readPath } from './read-path';

/** A path of a JSONPath state: into the input (`$.a`), the context object (`$$.a`) or a variable (`$name.a`). */
export interface PathExpression {
  readonly text: string;
  readonly path: JsonPath;
  /** Throws PathNotFound. */
  read(scope: Scope): Json;
  /** The value that the path starts from, for messages. */
  root(scope: Scope): Json;
}

const variable = /^\$([\p{ID_Start}_][\p{ID_Continue}]*)/u;

/** Throws InvalidPath. */
export function compilePath(text: string): PathExpression {
  if (text.startsWith('$$')) return expression(text, parseJsonPath(text.slice(1)), (scope) => scope.context());
  const name = variable.exec(text)?.[1];
  if (name !== undefined) {
    const start = (scope: Scope) => {
      const value = findVariable(scope.variables, name);
      if (value === undefined) throw new PathNotFound(`No results for path: $['${name}']`);
      return value;
    };
    // A variable that is not there is looked for in the input, says AWS.
    const root = (scope: Scope) => {
      const value = findVariable(scope.variables, name);
      return value === undefined ? scope.input : value;
    };
    return expression(text, parseJsonPath(`$${text.slice(name.length + 1)}`), start, root);
  }
  if (!text.startsWith('$')) throw new InvalidPath(`Invalid path '${text}'`);
  return expression(text, parseJsonPath(text), input);
}

/** AWS applies no path to null, not even the one that names all of it. */
function input(scope: Scope): Json {
  if (scope.input === null) throw runtimeFailure('Unable to apply Path transformation to null or empty input.');
  return scope.input;
}

function expression(text: string, path: JsonPath, start: (scope: Scope) => Json, root = start): PathExpression {
  if (path.steps.length === 0) return { text, path, root, read: start };
  return { text, path, root, read: (scope) => readPath(path, start(scope), scope.work) };
}

/** A reference path names exactly one place: no wildcards, slices, filters or functions. */
export const isReferencePath = ({ path }: PathExpression): boolean =>
  path.steps.every((step) => step.kind === 'field' || step.kind === 'index');
