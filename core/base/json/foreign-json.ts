import { clip, isWellFormed, wellFormed } from '../text/clip';
import { InvalidInput } from '../text/errors';

// JSON from outside is read here, so that three things hold of all that is inside: it is not nested deeply, its texts are well-formed, and
// each of its numbers is the one that was written. What breaks a rule is refused if its sender can correct it, and kept as text if not.

/** Far more than people and webhooks send. */
export const maxLevels = 100;

/**
 * Reads what a client sent.
 *
 * @param whole the name of the value itself, for a fault without a field.
 * @throws InvalidInput naming the field.
 */
export function readClientJson(text: string, whole: string): unknown {
  const value = parsed(text, whole);
  const fault = faultIn(value, { digits: withTextNumbers(text), checksText: true });
  if (fault) throw new InvalidInput(fault.path || whole, fault.message);
  return value;
}

/**
 * Reads what a model sent. Halves of characters are replaced.
 *
 * @throws InvalidInput naming the field: the model sends it again.
 */
export function readModelJson(text: string, whole: string): unknown {
  const value = parsed(text, whole);
  const fault = faultIn(value, { digits: withTextNumbers(text) });
  if (fault) throw new InvalidInput(fault.path || whole, fault.message);
  return wellFormedJson(value);
}

/**
 * Reads what a system sent that cannot send it again otherwise: a delivery, a result. A number that would change becomes the text of its
 * digits. Halves of characters are replaced.
 *
 * @throws InvalidInput if it is no JSON, or is nested too deeply.
 */
export function readOutsideJson(text: string, whole: string): unknown {
  const value = parsed(withTextNumbers(text), whole);
  assertShallow(whole, value);
  return wellFormedJson(value);
}

/**
 * Rejects deeply nested values. Parsing them succeeds, but later recursive operations (comparing, serializing) would overflow the stack at a
 * few thousand levels.
 *
 * @throws InvalidInput naming `path`.
 */
export function assertShallow(path: string, value: unknown): void {
  const fault = faultIn(value);
  if (fault) throw new InvalidInput(path, fault.message);
}

/** Returns JSON with well-formed texts and names. See `wellFormed`. The value must not be nested deeply. */
export function wellFormedJson<Value>(value: Value): Value {
  // JSON.stringify escapes halves, and NUL. Any other escape is skipped, because a backslash may be one.
  const json = JSON.stringify(value);
  const whole = json?.replace(/\\(?:u0000|ud[89a-f]..|.)/g, (found) => (found.length > 2 ? '\\ufffd' : found));
  return whole === json ? value : (JSON.parse(whole) as Value);
}

/** Returns the JSON with each number that would change as the text of its digits. */
export function withTextNumbers(json: string): string {
  // Most JSON has no number that could.
  if (!/[\d.]{16}|\d[eE]/.test(json)) return json;
  let isInText = false;
  return json.replace(/\\.|"|-?\d[\d.eE+-]*/g, (found) => {
    if (found === '"') isInText = !isInText;
    const isNumber = !isInText && found !== '"';
    return isNumber && !survives(found) ? `"${found}"` : found;
  });
}

/** Whether JavaScript's number has all digits, in its shortest form or in the 17 that some languages write. */
function survives(digits: string): boolean {
  if (digits.length > longestNumber) return false;
  const number = Number(digits);
  const written = significant(digits);
  return (
    Number.isFinite(number) && [String(number), number.toPrecision(17)].some((form) => significant(form) === written)
  );
}

/** A double with more characters has more digits than it keeps, or lots of zeros. */
const longestNumber = 400;

const significant = (number: string): string =>
  number
    .replace(/[eE].*/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+/, '')
    .replace(/0+$/, '');

interface Place {
  value: unknown;
  /** The same place in the JSON that has such numbers as text. */
  twin?: unknown;
  name?: string;
  level: number;
  in?: Place;
}

interface Rules {
  /** From `withTextNumbers`. */
  digits?: string;
  checksText?: boolean;
}

/** Returns the first fault, and where it is. Walks without recursion, because the value may be nested deeply. */
function faultIn(value: unknown, { digits, checksText = false }: Rules = {}) {
  // The same JSON, unless a number has become a text.
  const twin = digits === undefined ? undefined : JSON.parse(digits);
  const open: Place[] = [{ value, twin, level: 0 }];
  for (let place = open.pop(); place; place = open.pop()) {
    const message = faultAt(place, checksText);
    if (message) return { path: pathOf(place), message };
    if (!isNested(place.value)) continue;
    const twins = place.twin as Record<string, unknown> | undefined;
    for (const [name, one] of Object.entries(place.value).reverse())
      open.push({ value: one, twin: twins?.[name], name, level: place.level + 1, in: place });
  }
  return undefined;
}

function faultAt({ value, twin, name = '', level }: Place, checksText: boolean): string | undefined {
  if (isNested(value) && level >= maxLevels) return `may not be nested deeper than ${maxLevels} levels`;
  if (typeof value === 'number' && typeof twin === 'string')
    return `${clip(twin, { characters: 40 }, '…')} has more digits than a number keeps: send it as text`;
  if (!checksText) return undefined;
  if (!isWellFormed(name)) return `its name ${malformed}`;
  return typeof value === 'string' && !isWellFormed(value) ? malformed : undefined;
}

export const malformed =
  'has half of a character (an unpaired surrogate) or U+0000: send well-formed Unicode without it';

const mostNames = 5;

function pathOf(place: Place): string {
  const names: string[] = [];
  for (let one: Place | undefined = place; one?.name !== undefined; one = one.in) names.unshift(wellFormed(one.name));
  if (names.length > mostNames) names.splice(mostNames, names.length, '…');
  return clip(names.join('.'), { characters: 200 }, '…');
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

function parsed(text: string, whole: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidInput(whole, 'is not valid JSON');
  }
}
