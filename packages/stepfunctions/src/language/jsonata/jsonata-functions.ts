import { decoded, hash, IntrinsicError, number } from '../intrinsics/intrinsic-functions';
import { JavaRandom } from '../intrinsics/java-random';
import { type Json, parseJson } from '../json';
import type { Scope } from '../scope';
import { type Expression, parse } from './evaluator';
import { checkMemory, memoryExceeded } from './jsonata-bounds';

const format = parse('$fromMillis($time, $picture, $zone)');

const list = (value: Json): Json[] => (Array.isArray(value) ? value : [value]);

/** In JSONata a sequence of one value is that value, and an empty one is nothing. */
const sequence = (values: Json[]): Json | undefined => (values.length > 1 ? values : values[0]);

/** AWS's bound on the memory of one expression allows no longer one. */
const longestRange = 360_145;

/** Numbers are rounded towards zero. A step that leads away from the end gives nothing. */
function range(...bounds: Json[]): Json | undefined {
  const [from, to, by] = bounds.map((each) => Math.trunc(number(each))) as [number, number, number];
  const length = by === 0 ? 0 : Math.floor((to - from) / by) + 1;
  if (length > longestRange) throw memoryExceeded();
  return sequence(Array.from({ length: Math.max(length, 0) }, (_, i) => from + i * by));
}

/** Chunks of no elements, and those of nothing, are nothing. */
function partition(values: Json[], size: Json): Json | undefined {
  const length = Math.trunc(number(size));
  if (length === 0 || values.length === 0) return undefined;
  if (length < 0) throw new Error('the chunk size must be a positive integer');
  const chunks = Math.ceil(values.length / length);
  return Array.from({ length: chunks }, (_, i) => values.slice(i * length, (i + 1) * length));
}

/** A function of so many arguments gives nothing where one of them is nothing, as JSONata's own do. */
function strict<T extends Json[]>(count: number, apply: (...args: T) => unknown) {
  return (...args: (Json | undefined)[]): unknown =>
    args.length < count || args.slice(0, count).includes(undefined) ? undefined : apply(...(args as T));
}

/** Something failed inside AWS's evaluator, which does not tell what. */
class InternalError extends Error {
  override readonly name = 'InternalError';
}

/** The built-in one takes any text, and both know bytes only where AWS has UTF-8. */
function base64decode(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    return decoded(text);
  } catch (error) {
    if (error instanceof IntrinsicError) throw new InternalError();
    throw error;
  }
}

const base64encode = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : Buffer.from(text).toString('base64');

/** The built-in one makes any text before its length can be seen. */
function pad(text: string | undefined, width: number, sign?: string): string | undefined {
  if (text === undefined) return undefined;
  const missing = Math.abs(width) - [...text].length;
  if (!(missing > 0)) return text;
  checkMemory(missing);
  const signs = [...(sign || ' ')];
  const repeated = signs.join('').repeat(Math.ceil(missing / signs.length));
  const padding = signs.length === 1 ? repeated : [...repeated].slice(0, missing).join('');
  return width > 0 ? text + padding : padding + text;
}

/** Gives an expression the built-in functions that AWS has otherwise. */
export function replaceBuiltIns(expression: Expression): void {
  expression.registerFunction('base64decode', base64decode, '<s-:s>');
  expression.registerFunction('base64encode', base64encode, '<s-:s>');
  expression.registerFunction('pad', pad, '<s-ns?:s>');
}

/**
 * Returns the functions that Step Functions adds to JSONata or takes away ($eval), and the clock and the dice, which have to fall
 * the same way whenever the same transition is computed again.
 */
export function jsonataFunctions(scope: Scope): Record<string, unknown> {
  return {
    partition: strict(2, (values: Json, size: Json) => partition(list(values), size)),
    range: strict(3, range),
    hash: strict(2, (data: Json, algorithm: string) => hash(data, algorithm)),
    random: (seed?: Json) => (seed === undefined ? scope.random().next() : new JavaRandom(number(seed)).nextDouble()),
    uuid: () => scope.random().uuid(),
    parse: strict(1, (text: string) => parseJson(text)),
    millis: () => scope.time,
    now: (picture?: string, zone?: string): unknown =>
      picture === undefined && zone === undefined
        ? new Date(scope.time).toISOString()
        : format.evaluate({}, { time: scope.time, picture, zone }),
    eval: undefined,
  };
}
