import { types } from 'node:util';
import { clip, wellFormed } from '../text/clip';
import { failureIn } from '../text/failure-words';
import { asError } from '../text/thrown';
import { maxLevels } from './foreign-json';

/** A result has at most 4 MB, and each value has a character and a comma. */
const mostValues = 2_000_000;

/** A value that code returned, as JSON. */
export interface Plain {
  value: unknown;
  /** The values that JSON does not have, and that are kept in another form: `total: a BigInt`. */
  unlike: string[];
}

/**
 * Returns what code returned as JSON. It never throws, because the code has run. What JSON does not have is kept if a form of JSON has all
 * of it (a BigInt's digits, a Map's entries, a Set's values), and is named in its place if not: `[a function]`. Absent fields and Dates are
 * as in JSON.stringify.
 *
 * @param whole the name of the value itself in `unlike`.
 */
export function plainJson(value: unknown, whole: string): Plain {
  const unlike: string[] = [];
  let left = mostValues;
  const around = new Set<object>();

  const note = (path: string, what: string): void => {
    if (unlike.length < 5) unlike.push(`${path || whole}: ${what}`);
  };
  const named = (path: string, what: string): string => {
    note(path, what);
    return `[${what}]`;
  };
  const kept = (path: string, what: string, form: unknown): unknown => {
    note(path, what);
    return plain(path, form);
  };

  function plain(path: string, one: unknown): unknown {
    if (left-- <= 0) return named(path, 'more values than a result can have');
    if (typeof one === 'string') return wellFormed(one);
    if (typeof one === 'number')
      return Number.isFinite(one) ? one + 0 : kept(path, 'a number that JSON does not have', String(one));
    if (typeof one === 'bigint') return kept(path, 'a BigInt', String(one));
    if (typeof one === 'symbol' || typeof one === 'function') return named(path, `a ${typeof one}`);
    if (typeof one !== 'object' || one === null) return one;
    if (around.has(one)) return named(path, 'an object that contains itself');
    if (around.size >= maxLevels) return named(path, `nested deeper than ${maxLevels} levels`);
    around.add(one);
    try {
      return plainObject(path, one);
    } catch (thrown) {
      return named(path, `a value that cannot be read: ${failureIn(asError(thrown))}`);
    } finally {
      around.delete(one);
    }
  }

  function plainObject(path: string, one: object): unknown {
    if (types.isBoxedPrimitive(one)) return plain(path, one.valueOf());
    if (ArrayBuffer.isView(one) || types.isAnyArrayBuffer(one)) return named(path, `${one.byteLength} bytes`);
    if (types.isMap(one)) return kept(path, 'a Map', [...one]);
    if (types.isSet(one)) return kept(path, 'a Set', [...one]);
    if (types.isNativeError(one)) return named(path, `an error: ${failureIn(asError(one))}`);
    if (types.isDate(one) && Number.isNaN(one.getTime())) return named(path, 'an invalid Date');
    const { toJSON } = one as { toJSON?: unknown };
    if (typeof toJSON === 'function') return plain(path, toJSON.call(one, ''));
    const at = (name: string | number) => (path ? `${path}.${name}` : String(name));
    if (Array.isArray(one)) {
      if (one.length > left) return named(path, `a list of ${one.length} values`);
      return Array.from(one, (element, index) => plain(at(index), element) ?? null);
    }
    const names = Object.keys(one);
    const kind = Object.getPrototypeOf(one) === null ? 'Object' : String(one.constructor?.name);
    if (names.length === 0 && kind !== 'Object') return named(path, `a ${kind}`);
    // An own field of any name, `__proto__` too.
    return Object.fromEntries(
      names.map((name) => [wellFormed(name), field(at(name), one, name)]).filter(([, field]) => field !== undefined),
    );
  }

  function field(path: string, one: object, name: string): unknown {
    try {
      return plain(path, (one as Record<string, unknown>)[name]);
    } catch (thrown) {
      return named(path, `a value that cannot be read: ${failureIn(asError(thrown))}`);
    }
  }

  return { value: plain('', value) ?? null, unlike };
}

/** Returns the beginning of a result of `bytes` that is too long, with a note for the model. */
export const cutResult = (text: string, bytes: number, maxBytes: number): string =>
  clip(text, { bytes: maxBytes }) +
  `\n[Cut here: the result has ${bytes} bytes, and at most ${maxBytes} of this tool's result are kept.]`;
