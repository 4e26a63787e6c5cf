import { isDeepStrictEqual } from 'node:util';
import { isPlain } from '../../core/base/schemas/definition';

/**
 * Compares a value with what an author expects of it: of an object the named fields, of a list each element, of a text
 * what a regular expression matches.
 *
 * @returns the first difference, with its place; undefined if there is none.
 */
export function difference(expected: unknown, actual: unknown, at: string): string | undefined {
  const here = at || 'it';
  if (expected instanceof RegExp) {
    const pattern = new RegExp(expected.source, expected.flags.replace(/[gy]/g, ''));
    return typeof actual === 'string' && pattern.test(actual) ? undefined : `${here} is ${shown(actual)}`;
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return `${here} is ${shown(actual)}`;
    return firstOf(expected.map((one, index) => difference(one, actual[index], `${at}[${index}]`)));
  }
  if (isPlain(expected)) {
    if (!isPlain(actual)) return `${here} is ${shown(actual)}`;
    return firstOf(
      Object.entries(expected).map(([name, one]) =>
        difference(one, Object.hasOwn(actual, name) ? actual[name] : undefined, at ? `${at}.${name}` : name),
      ),
    );
  }
  return isDeepStrictEqual(expected, actual) ? undefined : `${here} is ${shown(actual)}`;
}

const firstOf = (all: (string | undefined)[]): string | undefined => all.find((one) => one !== undefined);
const shown = (value: unknown): string => (value === undefined ? 'missing' : JSON.stringify(value));
