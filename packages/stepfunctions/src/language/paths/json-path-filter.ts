import { compareNumbers, isNumber, isObject, type Json, parseJson, sameJson } from '../json';
import { compileJavaPattern } from '../regular-expression';
import { find } from '../wildcards';
import type { Work } from '../work';
import { InvalidPath, mostParts, PathNotFound, parseJsonPath } from './json-path';
import { readPath } from './read-path';

type Operand = (candidate: Json, root: Json, work: Work) => Json | undefined;
type Predicate = (candidate: Json, root: Json, work: Work) => boolean;
type Compare = (left: Json | undefined, right: Json | undefined, work: Work) => boolean;

const ordered =
  (holds: (order: number) => boolean): Compare =>
  (left, right) => {
    if (isNumber(left) && isNumber(right)) return holds(compareNumbers(left, right));
    if (typeof left === 'string' && typeof right === 'string') return holds(left < right ? -1 : left > right ? 1 : 0);
    return false;
  };

/** A number equals the text that it is written as. What is not there equals nothing. */
function equal(left: Json | undefined, right: Json | undefined): boolean {
  if (left === undefined || right === undefined) return false;
  if (typeof left === 'string' && isNumber(right)) return left === String(right);
  if (isNumber(left) && typeof right === 'string')
    return right.trim() !== '' && (left === Number(right) || String(left) === right);
  return sameJson(left, right);
}

const list = (value: Json | undefined): Json[] | undefined => (Array.isArray(value) ? value : undefined);
function has(values: Json[], value: Json | undefined, work: Work): boolean {
  work.spend(values.length);
  return values.some((each) => equal(each, value));
}
const isIn: Compare = (left, right, work) => has(list(right) ?? [], left, work);
/** For two lists; false where one of them is none. */
const lists =
  (holds: (left: Json[], right: Json[], work: Work) => boolean): Compare =>
  (left, right, work) =>
    Array.isArray(left) && Array.isArray(right) && holds(left, right, work);
const size = (value: Json | undefined): number | undefined =>
  typeof value === 'string' || Array.isArray(value)
    ? value.length
    : isObject(value)
      ? Object.keys(value).length
      : undefined;

/** Of a text so much is compared in the time that it takes to look at a value. */
const signsInALook = 32;

/** The comparisons of a filter. No sign comes after one that it begins with. */
const comparisons: Record<string, Compare> = {
  '==': equal,
  '!=': (left, right) => !equal(left, right),
  '>=': ordered((order) => order >= 0),
  '<=': ordered((order) => order <= 0),
  '>': ordered((order) => order > 0),
  '<': ordered((order) => order < 0),
  in: isIn,
  nin: (left, right, work) => !isIn(left, right, work),
  subsetof: lists((left, right, work) => left.every((each) => has(right, each, work))),
  anyof: lists((left, right, work) => left.some((each) => has(right, each, work))),
  noneof: lists((left, right, work) => !left.some((each) => has(right, each, work))),
  all: lists((left, right, work) => right.every((each) => has(left, each, work))),
  contains(left, right, work) {
    if (typeof left !== 'string') return has(list(left) ?? [], right, work);
    work.spend(left.length / signsInALook);
    return typeof right === 'string' && find(left, right) >= 0;
  },
  size: (left, right) => typeof right === 'number' && size(left) === right,
  empty: (left, right) => typeof right === 'boolean' && size(left) !== undefined && (size(left) === 0) === right,
};

/** Parses the inside of `[?( … )]`: comparisons and bare paths, joined by `&&`, `||`, `!` and parentheses. */
export function parseFilter(text: string, path: string): Predicate {
  let at = 0;
  let conditions = 0;
  const fail = (): never => {
    throw new InvalidPath(`Invalid path '${path}'`);
  };
  const skip = () => {
    while (/\s/.test(text[at] ?? '')) at += 1;
  };
  const take = (token: string): boolean => {
    skip();
    if (!text.startsWith(token, at)) return false;
    at += token.length;
    return true;
  };

  function either(): Predicate {
    let left = both();
    while (take('||')) {
      const [a, b] = [left, both()];
      left = (...over) => a(...over) || b(...over);
    }
    return left;
  }
  function both(): Predicate {
    let left = single();
    while (take('&&')) {
      const [a, b] = [left, single()];
      left = (...over) => a(...over) && b(...over);
    }
    return left;
  }
  function single(): Predicate {
    conditions += 1;
    if (conditions > mostParts) fail();
    if (take('!')) {
      const inner = single();
      return (...over) => !inner(...over);
    }
    if (take('(')) {
      const inner = either();
      if (!take(')')) fail();
      return inner;
    }
    const left = operand();
    if (take('=~')) return matching(left);
    const sign = Object.keys(comparisons).find(take);
    if (sign === undefined) return (...over) => left(...over) !== undefined;
    const right = operand();
    const compare = comparisons[sign]!;
    return (candidate, root, work) => compare(left(candidate, root, work), right(candidate, root, work), work);
  }
  function matching(left: Operand): Predicate {
    skip();
    const literal = /^\/((?:[^/\\]|\\.)*)\/([a-z]*)/.exec(text.slice(at)) ?? fail();
    at += literal[0].length;
    const [, source = '', flags = ''] = literal;
    let matches: (text: string) => boolean;
    try {
      matches = compileJavaPattern(source, flags);
    } catch (error) {
      throw new InvalidPath(`Invalid path '${path}': ${(error as Error).message}`);
    }
    return (candidate, root, work) => {
      const value = left(candidate, root, work);
      if (value === undefined || value === null || typeof value === 'object') return false;
      const text = String(value);
      work.spend((text.length * (source.length + 16)) / 128);
      return matches(text);
    };
  }
  function operand(): Operand {
    skip();
    const rest = text.slice(at);
    if (rest[0] === '@' || rest[0] === '$') {
      const length = pathLength(rest);
      const inner = parseJsonPath(rest.slice(0, length));
      at += length;
      const relative = rest[0] === '@';
      return (candidate, root, work) => {
        try {
          return readPath(inner, relative ? candidate : root, work);
        } catch (error) {
          if (error instanceof PathNotFound) return undefined;
          throw error;
        }
      };
    }
    const literal =
      /^(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)\b|(\[[^\]]*\]))/.exec(
        rest,
      ) ?? fail();
    at += literal[0].length;
    const value = literalValue(literal);
    return () => value;
  }

  const predicate = either();
  skip();
  if (at < text.length) fail();
  return predicate;
}

function literalValue(match: RegExpExecArray): Json {
  const [, single, double, number, word, list] = match;
  if (single !== undefined || double !== undefined) return (single ?? double ?? '').replace(/\\(.)/g, '$1');
  if (number !== undefined) return parseJson(number);
  if (word !== undefined) return parseJson(word);
  return parseJson((list ?? '[]').replaceAll("'", '"'));
}

/** Returns the length of a path inside a filter: up to the first sign outside brackets that no path has. */
function pathLength(text: string): number {
  let i = 1;
  while (i < text.length) {
    if (text[i] === '[') {
      const end = text.indexOf(']', i);
      i = end < 0 ? text.length : end + 1;
    } else if (text.startsWith('()', i)) i += 2;
    else if (/[^\s=!<>&|(),~]/.test(text[i]!)) i += 1;
    else break;
  }
  return i;
}
