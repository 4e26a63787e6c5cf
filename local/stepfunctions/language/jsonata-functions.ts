import jsonata from 'jsonata';
import { hash, number, partition, range } from './intrinsic-functions';
import type { Json } from './json';
import { Random, seedOf } from './random';
import type { Scope } from './scope';

const format = jsonata('$fromMillis($time, $picture, $zone)');

const list = (value: unknown): Json[] =>
  Array.isArray(value) ? (value as Json[]) : value === undefined ? [] : [value as Json];

/** In JSONata a sequence of one value is that value. */
const sequence = (values: Json[]): Json => (values.length === 1 ? values[0]! : values);

/**
 * What Step Functions adds to JSONata, what it takes away ($eval), and the clock and the dice, which have to fall the same
 * way whenever the same transition is computed again.
 */
export function jsonataFunctions(scope: Scope): Record<string, unknown> {
  return {
    partition: (values: unknown, size: number) => partition(list(values), size),
    range: (first: Json, last: Json, step: Json) => sequence(range(number(first), number(last), number(step))),
    hash: (data: Json, algorithm: string) => hash(data, algorithm),
    random: (seed?: number) => (seed === undefined ? scope.random() : new Random(seedOf(seed))).next(),
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
