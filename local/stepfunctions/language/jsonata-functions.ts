import jsonata from 'jsonata';
import { hash, number } from './intrinsic-functions';
import { JavaRandom } from './java-random';
import type { Json } from './json';
import type { Scope } from './scope';

const format = jsonata('$fromMillis($time, $picture, $zone)');

const list = (value: unknown): Json[] =>
  Array.isArray(value) ? (value as Json[]) : value === undefined ? [] : [value as Json];

/** In JSONata a sequence of one value is that value, and an empty one is nothing. */
const sequence = (values: Json[]): Json | undefined => (values.length > 1 ? values : values[0]);

/** AWS's bound on the memory of one expression allows no longer one. */
const longestRange = 360_145;

/** Numbers are rounded towards zero. A step that is missing, or leads away from the end, gives nothing. */
function range(first: Json, last: Json, step: Json | undefined): Json | undefined {
  if (step === undefined) return undefined;
  const [from, to, by] = [first, last, step].map((each) => Math.trunc(number(each))) as [number, number, number];
  const length = by === 0 ? 0 : Math.floor((to - from) / by) + 1;
  if (length > longestRange) throw new Error('Expression evaluation memory limit exceeded');
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

/**
 * What Step Functions adds to JSONata, what it takes away ($eval), and the clock and the dice, which have to fall the same
 * way whenever the same transition is computed again.
 */
export function jsonataFunctions(scope: Scope): Record<string, unknown> {
  return {
    partition: (values: unknown, size: Json) => partition(list(values), size),
    range: (first: Json, last: Json, step?: Json) => range(first, last, step),
    hash: (data: Json, algorithm?: string) => (algorithm === undefined ? undefined : hash(data, algorithm)),
    random: (seed?: number) => (seed === undefined ? scope.random().next() : new JavaRandom(seed).nextDouble()),
    uuid: () => scope.random().uuid(),
    parse: (text: string) => JSON.parse(text) as Json,
    millis: () => scope.time,
    now: (picture?: string, zone?: string): unknown =>
      picture === undefined && zone === undefined
        ? new Date(scope.time).toISOString()
        : format.evaluate({}, { time: scope.time, picture, zone }),
    eval: undefined,
  };
}
