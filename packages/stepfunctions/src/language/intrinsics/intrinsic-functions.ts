import { createHash } from 'node:crypto';
import { canonicalText, isObject, type Json, parseJson, sameJson } from '../json';
import type { Random } from '../random';
import { JavaRandom } from './java-random';
import { javaJson, javaPrinted } from './java-text';

/** An error of an intrinsic function with its arguments; the message goes into the failure's cause. */
export class IntrinsicError extends Error {
  override readonly name = 'IntrinsicError';
}

type Intrinsic = (args: Json[], random: Random) => Json;

const reject = (message: string): never => {
  throw new IntrinsicError(message);
};
const array = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : reject('expected an array'));
const text = (value: Json | undefined): string => (typeof value === 'string' ? value : reject('expected a string'));
export const number = (value: Json | undefined): number =>
  typeof value === 'number' ? value : reject('expected a number');
/** "If you specify a non-integer value, Step Functions will round it off to the nearest integer." */
const integer = (value: Json | undefined): number => Math.round(number(value));
/** Of integers that a number does not hold, the digits survive. */
function sum(...terms: (Json | undefined)[]): number | bigint {
  const integers = terms.map((term) => (typeof term === 'bigint' ? term : integer(term)));
  const [a, b] = integers as [number | bigint, number | bigint];
  const short = Number(a) + Number(b);
  if (!Number.isFinite(short)) reject('the sum is out of range');
  if (Number.isSafeInteger(short) && typeof a === 'number' && typeof b === 'number') return short;
  const exact = BigInt(a) + BigInt(b);
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
}
const count = (args: Json[], least: number, most = least): void => {
  if (args.length < least || args.length > most) reject('wrong number of arguments');
};

const digests: Record<string, string> = {
  MD5: 'md5',
  'SHA-1': 'sha1',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
};
const longestText = 10_000;

/** The hash that States.Hash and JSONata's $hash share. Throws IntrinsicError for an unknown algorithm. */
export function hash(data: Json, algorithm: string): string {
  const digest = Object.hasOwn(digests, algorithm) ? digests[algorithm]! : reject('unsupported hash algorithm');
  return createHash(digest)
    .update(typeof data === 'string' ? data : javaJson(data))
    .digest('hex');
}

/** States.ArrayRange: at most 1,000 elements, the end included. */
function range(first: number, last: number, step: number): number[] {
  if (step === 0) reject('the step cannot be 0');
  const length = Math.floor((last - first) / step) + 1;
  if (length > 1000) reject('the range cannot have more than 1000 elements');
  return Array.from({ length: Math.max(length, 0) }, (_, i) => first + i * step);
}

function partition(values: Json[], size: number): Json[][] {
  if (!(size > 0)) reject('the chunk size must be a positive integer');
  return Array.from({ length: Math.ceil(values.length / size) }, (_, i) => values.slice(i * size, (i + 1) * size));
}

/** Padding may be left out; anything else that is no Base64 is refused. JSONata's $base64decode shares it. */
export function decoded(source: string): string {
  const [, body = '', padding = ''] = /^([A-Za-z0-9+/]*)(={0,2})$/.exec(source) ?? reject('invalid Base64');
  const missing = (4 - (body.length % 4)) % 4;
  if (missing === 3 || (padding !== '' && padding.length !== missing)) reject('invalid Base64');
  return Buffer.from(source, 'base64').toString('utf8');
}

/** Section "Intrinsic functions" and AWS's extensions of it: all 18. */
export const intrinsicFunctions: Record<string, Intrinsic> = {
  'States.Format': (args) => format(text(args[0]), args.slice(1)),
  'States.StringToJson': (args) => {
    count(args, 1);
    // Nothing, and white space alone, are the JSON of null.
    const source = args[0] === null ? '' : text(args[0]);
    try {
      return source.trim() === '' ? null : parseJson(source);
    } catch {
      return reject(`invalid JSON: ${source}`);
    }
  },
  'States.JsonToString': (args) => {
    count(args, 1);
    return javaJson(args[0]!);
  },
  'States.Array': (args) => args,
  'States.ArrayPartition': (args) => {
    count(args, 2);
    return partition(array(args[0]), integer(args[1]));
  },
  'States.ArrayContains': (args) => {
    count(args, 2);
    return array(args[0]).some((each) => sameJson(each, args[1]));
  },
  'States.ArrayRange': (args) => {
    count(args, 3);
    return range(integer(args[0]), integer(args[1]), integer(args[2]));
  },
  'States.ArrayGetItem': (args) => {
    count(args, 2);
    const found = array(args[0])[integer(args[1])];
    return found === undefined ? reject('the index is out of range') : found;
  },
  'States.ArrayLength': (args) => {
    count(args, 1);
    return array(args[0]).length;
  },
  'States.ArrayUnique': (args) => {
    count(args, 1);
    const seen = new Set<string>();
    return array(args[0]).filter((each) => {
      const text = canonicalText(each);
      return !seen.has(text) && seen.add(text);
    });
  },
  'States.Base64Encode': (args) => {
    count(args, 1);
    if (text(args[0]).length > longestText) reject('the string is longer than 10000 characters');
    return Buffer.from(text(args[0])).toString('base64');
  },
  'States.Base64Decode': (args) => {
    count(args, 1);
    if (text(args[0]).length > longestText) reject('the string is longer than 10000 characters');
    return decoded(text(args[0]));
  },
  'States.Hash': (args) => {
    count(args, 2);
    if (typeof args[0] === 'string' && args[0].length > longestText)
      reject('the string is longer than 10000 characters');
    return hash(args[0]!, text(args[1]));
  },
  'States.JsonMerge': (args) => {
    count(args, 3);
    const [first, second, deep] = args;
    if (deep !== false) reject('only shallow merging is supported: the third argument must be false');
    if (!isObject(first) || !isObject(second)) return reject('expected two objects');
    return { ...first, ...second };
  },
  'States.MathRandom': (args, random) => {
    count(args, 2, 3);
    const [first, last] = [integer(args[0]), integer(args[1])];
    if (last <= first) reject('the end must be greater than the start');
    if (!Number.isSafeInteger(last - first)) reject('the range is too large');
    if (args.length === 3) return first + new JavaRandom(integer(args[2])).nextInt(last - first);
    return Math.floor(first + random.next() * (last - first));
  },
  'States.MathAdd': (args) => {
    count(args, 2);
    return sum(args[0], args[1]);
  },
  'States.StringSplit': (args) => {
    count(args, 2);
    const separators = new Set(text(args[1]));
    const parts = [''];
    for (const c of text(args[0])) {
      if (separators.has(c)) parts.push('');
      else parts[parts.length - 1] += c;
    }
    return parts.filter((part) => part !== '');
  },
  'States.UUID': (args, random) => {
    count(args, 0);
    return random.uuid();
  },
};

/** `{}` takes the next argument; `\{`, `\}`, `\\` and `\'` stand for themselves. */
function format(template: string, args: Json[]): string {
  let used = 0;
  const result = template.replace(/\\([{}\\'])|\{\}/g, (_, escaped: string | undefined) => {
    if (escaped !== undefined) return escaped;
    const value = args[used];
    if (value === undefined) return reject('the template has more placeholders than there are arguments');
    used += 1;
    return javaPrinted(value);
  });
  return used < args.length ? reject('there are more arguments than placeholders in the template') : result;
}
