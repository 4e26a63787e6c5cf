import { parse, stringify } from 'lossless-json';

/**
 * A JSON value. Values are shared between states and never changed in place. An integer that a number would not hold exactly is
 * a `bigint`: its digits survive, as on AWS.
 */
export type Json = null | boolean | number | bigint | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

/** Matches where `JSON.parse` could lose digits of an integer, or make infinity of a number; also in some texts in quotes. */
const longNumber = /(?:^|[\s:,[])-?(?:\d{16}|\d+(?:\.\d+)?[eE]\+?\d{3})/;

/** JSON that nothing here can hold: a number beyond all numbers, or values that nest too deeply. */
export class JsonOutOfRange extends SyntaxError {
  override readonly name = 'JsonOutOfRange';
}

/** Deeper nesting is refused like too much data: nothing that reads it would come back. */
export const deepest = 1_000;

/** The message of Jackson, AWS's parser, for deeper nesting. */
export const tooDeep = `Document nesting depth (${deepest + 1}) exceeds the maximum allowed (${deepest})`;

/** The number that JSON's text writes. Throws JsonOutOfRange. */
function exactNumber(text: string): number | bigint {
  const number = Number(text);
  if (!Number.isFinite(number)) throw new JsonOutOfRange(`Number out of range: ${text.slice(0, 40)}`);
  return Number.isSafeInteger(number) || !/^-?\d+$/.test(text) ? number : BigInt(text);
}

/** Whether arrays and objects lie deeper in each other than anything here reads. The text may be no JSON. */
function nestsTooDeeply(text: string): boolean {
  // Each level has two signs.
  if (text.length <= 2 * deepest) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === quote) at = closingQuote(text, at);
    else if (sign === openBracket || sign === openBrace) {
      depth += 1;
      if (depth > deepest) return true;
    } else if (sign === closeBracket || sign === closeBrace) depth -= 1;
  }
  return false;
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/** Returns the position of the quote that closes the string at `start`; the end of the text if there is none. */
function closingQuote(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === quote) return at;
    if (sign === backslash) at += 1;
  }
  return text.length;
}

/** As `JSON.parse`, with integers of any size. Throws SyntaxError, and JsonOutOfRange where the text may well be JSON. */
export function parseJson(text: string): Json {
  if (nestsTooDeeply(text)) throw new JsonOutOfRange(tooDeep);
  if (!longNumber.test(text)) return JSON.parse(text) as Json;
  return parse(text, null, { parseNumber: exactNumber, onDuplicateKey: ({ newValue }) => newValue }) as Json;
}

/** As `JSON.stringify`, with integers of any size. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!String((error as Error).message).includes('BigInt')) throw error;
    return stringify(value)!;
  }
}

/** As numbers are compared, whatever their size. */
export const isNumber = (value: Json | undefined): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

export const compareNumbers = (a: number | bigint, b: number | bigint): number => (a < b ? -1 : a > b ? 1 : 0);

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The JSON type as error messages name it. */
export function typeName(value: Json): string {
  if (value === null) return 'null';
  if (typeof value === 'bigint') return 'number';
  return Array.isArray(value) ? 'array' : typeof value;
}

export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b) === 0;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((each, i) => sameJson(each, b[i]));
  if (Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}

/** The same text for the same values, whatever the order of their fields. */
export function canonicalText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isObject(value)) return jsonText(value);
  const fields = Object.keys(value).sort();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonicalText(value[name]!)}`).join(',')}}`;
}

/** Sets a field without ever touching a prototype, whatever its name. */
export function setField(target: JsonObject, key: string, value: Json): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  else target[key] = value;
}

/**
 * Whether the value's JSON text is longer than `limit` bytes, or nests too deeply. Stops counting as soon as the answer is
 * known; short strings are taken by their length.
 */
export function longerThan(value: Json, limit: number): boolean {
  return measure(value, limit, 0) > limit;
}

function measure(value: Json, limit: number, depth: number): number {
  switch (typeof value) {
    case 'string':
      // Only of a long string the exact length matters: escapes and multi-byte characters count.
      return value.length < limit / 400 ? value.length + 2 : Buffer.byteLength(JSON.stringify(value));
    case 'number':
      return Number.isInteger(value) && Math.abs(value) < 1e15 ? 1 + Math.floor(Math.log10(Math.abs(value) + 1)) : 18;
    case 'bigint':
      return String(value).length;
    case 'boolean':
      return 5;
    default:
      return value === null ? 4 : measureInside(value, limit, depth + 1);
  }
}

function measureInside(value: Json[] | JsonObject, limit: number, depth: number): number {
  if (depth > deepest) return Number.POSITIVE_INFINITY;
  let size = 2;
  if (Array.isArray(value)) {
    for (const each of value) {
      size += 1 + measure(each, limit, depth);
      if (size > limit + value.length) return size;
    }
    return size;
  }
  for (const key in value) {
    size += key.length + 4 + measure(value[key]!, limit, depth);
    if (size > limit * 2) return size;
  }
  return size;
}
