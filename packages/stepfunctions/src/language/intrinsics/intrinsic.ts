import { errorNames, StateFailure } from '../errors';
import { type Json, jsonText, longerThan, parseJson } from '../json';
import { InvalidPath, PathNotFound } from '../paths/json-path';
import { compilePath, type PathExpression } from '../paths/path-expression';
import type { Scope } from '../scope';
import { IntrinsicError, intrinsicFunctions } from './intrinsic-functions';

type Argument = (scope: Scope) => Json;

/** A state's data are shorter; what is in between may be longer, but not much: each function could multiply it. */
const longestArguments = 1024 * 1024;

/** "You can nest up to 10 intrinsic functions within a field": AWS's example counts all of them, at whatever depth. */
const most = 10;

export const isIntrinsic = (text: string): boolean => /^States\.[A-Za-z0-9]+\(/.test(text);

/**
 * Compiles `States.Format('{} of {}', $.part, States.ArrayLength($.all))`. Throws InvalidPath where the text is no call of a
 * known function.
 */
export function compileIntrinsic(text: string): (scope: Scope) => Json {
  let at = 0;
  let calls = 0;
  const fail = (): never => {
    throw new InvalidPath(`Invalid intrinsic function '${text}'`);
  };
  const skip = () => {
    while (/\s/.test(text[at] ?? '')) at += 1;
  };

  function call(): Argument {
    const name = /^States\.[A-Za-z0-9]+(?=\()/.exec(text.slice(at))?.[0];
    const apply = name === undefined ? undefined : intrinsicFunctions[name];
    calls += 1;
    if (name === undefined || apply === undefined || calls > most) return fail();
    const start = at;
    at += name.length + 1;
    const args: Argument[] = [];
    skip();
    while (text[at] !== ')') {
      args.push(argument(name === 'States.Format' && args.length === 0));
      skip();
      if (text[at] === ')') break;
      if (text[at] !== ',') fail();
      at += 1;
      skip();
      if (text[at] === ')') fail();
    }
    at += 1;
    const source = text.slice(start, at);
    return (scope) =>
      invoke(source, () => {
        const values = args.map((each) => each(scope));
        if (longerThan(values, longestArguments))
          throw new IntrinsicError(`the arguments are longer than ${longestArguments} bytes`);
        return apply(values, scope.random());
      });
  }

  function argument(keepEscapes: boolean): Argument {
    if (text[at] === "'") return literal(keepEscapes);
    if (text.startsWith('States.', at)) return call();
    if (text[at] === '$') return path();
    const word = /^(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?=\s*[,)])/.exec(text.slice(at))?.[0] ?? fail();
    at += word.length;
    const value = parseJson(word);
    return () => value;
  }

  function literal(keepEscapes: boolean): Argument {
    const start = at + 1;
    at = start;
    while (at < text.length && text[at] !== "'") {
      // No other escape is legal, says the service when the state machine is created.
      if (text[at] === '\\' && !/[{}'\\]/.test(text[at + 1] ?? '')) fail();
      at += text[at] === '\\' ? 2 : 1;
    }
    if (at >= text.length) fail();
    const raw = text.slice(start, at);
    at += 1;
    const value = keepEscapes ? raw : raw.replace(/\\([{}\\'])/g, '$1');
    return () => value;
  }

  function path(): Argument {
    const start = at;
    let depth = 0;
    let quote = '';
    for (; at < text.length; at += 1) {
      const c = text[at]!;
      if (quote !== '') quote = c === quote ? '' : quote;
      else if (depth > 0 && (c === "'" || c === '"')) quote = c;
      else if (c === '[' || c === '(') depth += 1;
      else if (depth > 0 && (c === ']' || c === ')')) depth -= 1;
      else if (depth === 0 && (c === ',' || c === ')' || /\s/.test(c))) break;
    }
    return pathArgument(compilePath(text.slice(start, at)));
  }

  const root = call();
  if (at !== text.length) fail();
  return root;
}

function pathArgument(path: PathExpression): Argument {
  return (scope) => {
    try {
      return path.read(scope);
    } catch (error) {
      if (!(error instanceof PathNotFound)) throw error;
      if (Array.isArray(error.instead)) return error.instead;
      throw new MissingArgument(
        `The JsonPath argument for the field '${path.text}' could not be found in the input '${jsonText(path.root(scope))}'`,
      );
    }
  };
}

class MissingArgument extends Error {}

function invoke(source: string, apply: () => Json): Json {
  try {
    return apply();
  } catch (error) {
    const failed = (name: string, message: string) =>
      new StateFailure(name, `The function '${source}' had the following error: ${message}`);
    if (error instanceof MissingArgument) throw failed(errorNames.runtime, error.message);
    if (error instanceof IntrinsicError) throw failed(errorNames.intrinsicFailure, error.message);
    throw error;
  }
}
