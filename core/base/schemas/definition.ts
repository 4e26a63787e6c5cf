// core/base/schemas: how definitions are checked, and what models are told about a schema.

import { quoted } from 'vigil-client/shared';
import { ConfigurationError } from '../text/errors';

/** A problem with a definition: the field, and what to do. */
export type Problem = readonly [field: string, problem: string];
/** Checks a value. `at` is its field, empty for the whole definition. */
export type Rule = (value: unknown, at: string) => Problem | undefined;
/** A rule for each field of a type. The compiler refuses a field too many and one too few. */
export type RulesOf<Definition> = { [Field in keyof Required<Definition>]: Rule };

export const rule =
  (fits: (value: unknown) => boolean, words: string): Rule =>
  (value, at) =>
    fits(value) ? undefined : [at, value === undefined ? `is missing: it ${words}` : words];

/** Also an empty one, which has a message elsewhere. */
export const anyText: Rule = (value, at) => {
  if (typeof value !== 'string') return [at, value === undefined ? 'is missing: it must be a text' : 'must be a text'];
  return isWhole(value) ? undefined : [at, 'must be a text without NUL and half characters'];
};
export const text: Rule = (value, at) =>
  typeof value === 'string' && value.trim() === '' ? [at, 'must be a text'] : anyText(value, at);
export const number = rule((value) => typeof value === 'number' && !Number.isNaN(value), 'must be a number');
export const flag = rule((value) => typeof value === 'boolean', 'must be true or false');
export const callable: Rule = (value, at) =>
  typeof value === 'function' && kindOf(value).endsWith('GeneratorFunction')
    ? [at, 'must be a function without a star']
    : aFunction(value, at);
const aFunction = rule((value) => typeof value === 'function', 'must be a function');
/** A function that is asked while a step is made, which waits for nothing. */
export const decides: Rule = (value, at) =>
  typeof value === 'function' && kindOf(value) === 'AsyncFunction'
    ? [at, 'must not be async: its answer is needed at once']
    : callable(value, at);
const kindOf = (made: unknown): string => Object.prototype.toString.call(made).slice('[object '.length, -1);
export const anything: Rule = () => undefined;
export const oneOf = (...values: readonly unknown[]): Rule =>
  rule((value) => values.includes(value), `must be ${listed(values.map((one) => JSON.stringify(one)))}`);

/** A field that may be left out. */
export const optional =
  (inner: Rule): Rule =>
  (value, at) =>
    value === undefined ? undefined : inner(value, at);

export const either =
  (isFirst: (value: unknown) => boolean, first: Rule, second: Rule): Rule =>
  (value, at) =>
    (isFirst(value) ? first : second)(value, at);

export const listOf =
  (inner: Rule): Rule =>
  (value, at) =>
    Array.isArray(value) ? firstOf(value.map((one, index) => inner(one, `${at}[${index}]`))) : [at, 'must be a list'];

export const recordOf =
  (inner: Rule): Rule =>
  (value, at) =>
    isPlain(value)
      ? firstOf(Object.entries(value).map(([name, one]) => inner(one, inside(at, name))))
      : [at, 'must be an object'];

/** An object with these fields and no others. */
export function fields<Definition extends object>(rules: RulesOf<Definition>): Rule {
  const known = Object.keys(rules);
  return (value, at) => {
    if (!isPlain(value))
      return [at, value === undefined && at ? 'is missing: it must be an object' : 'must be an object'];
    // A field that is undefined is as good as left out.
    const given = Object.keys(value).filter((name) => value[name] !== undefined);
    const unknown = given.find((name) => !known.includes(name));
    if (unknown !== undefined) return [inside(at, unknown), unknownWords(unknown, known)];
    return firstOf(known.map((name) => (rules as Record<string, Rule>)[name]!(value[name], inside(at, name))));
  };
}

/**
 * Checks what is passed to a public function or construct: the compiler does not run in plain JavaScript.
 *
 * @throws ConfigurationError in one line: `startVigil: varibles: there is no such field: did you mean "variables"?`.
 */
export function checkOptions(whose: string, options: unknown, check: Rule): void {
  const wrong = check(options, '');
  if (wrong) throw new ConfigurationError([whose, ...wrong].filter(Boolean).join(': '));
}

/** Whether a text has no half of a surrogate pair, and no NUL, which servers refuse. */
function isWhole(value: string): boolean {
  try {
    return !encodeURIComponent(value).includes('%00');
  } catch {
    return false;
  }
}

/** Whether a text can be a title: people read it on one line, among words that are not its author's. */
export const isTitle = (text: string): boolean =>
  text.trim() !== '' && text.length <= 60 && quoted(text).replace(/^\u2068|\u2069$/g, '') === `"${text}"`;
/** Whether a text can be a name in the code: of an agent, a provider, a schedule. */
export const isKebabCase = (name: string): boolean => /^[a-z][a-z0-9-]{0,49}$/.test(name);
export const kebabWords = 'use kebab-case, a letter first, at most 50 characters';
export const isText = (value: unknown): boolean => typeof value === 'string';
export const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const inside = (at: string, name: string): string => (at ? `${at}.${name}` : name);
const firstOf = (problems: (Problem | undefined)[]): Problem | undefined => problems.find((one) => one !== undefined);

/** More fields are better looked up. */
const mostListed = 12;

function unknownWords(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  if (near) return `there is no such field: did you mean "${near}"?`;
  return `there is no such field${known.length > mostListed ? '' : `: the fields are ${listed(known)}`}`;
}

/** @example listed(['a', 'b']) // 'a or b' */
export const listed = (words: readonly string[]): string =>
  words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${words.at(-1)}` : words.join('');

/** Returns the known name that was probably meant. @param most the letters that may differ. */
export function nearest(
  name: string,
  known: readonly string[],
  most = Math.max(1, Math.floor(name.length / 3)),
): string | undefined {
  const [best] = known
    .map((one) => ({ one, changes: changesBetween(name.toLowerCase(), one.toLowerCase()) }))
    .filter(({ changes }) => changes <= most)
    .sort((a, b) => a.changes - b.changes);
  return best?.one;
}

/** Levenshtein's distance. */
function changesBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}
