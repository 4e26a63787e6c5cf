import { RE2JS } from 're2js';
import {
  checkOptions,
  fields,
  isPlain,
  listOf,
  oneOf,
  optional,
  recordOf,
  text,
} from '../../core/base/schemas/definition';
import { type GuardPlace, guardPlaces } from '../../core/base/schemas/guard-verdict';
import { ConfigurationError } from '../../core/base/text/errors';
import { defineGuard, type Guard } from '../../core/conversations/guards/guard';

/** A pattern that Vigil has, or one of the deployment. */
export type RedactPattern = true | RegExp;

export interface RedactOptions {
  /**
   * What is replaced, by name: `email` becomes `[email]`. The patterns `email`, `iban` and `card` (numbers of payment cards) are there with
   * `true`. Others are regular expressions without lookaround and backreferences.
   */
  patterns: Record<string, RedactPattern>;
  at: GuardPlace[];
  /** `withhold`: models get no pictures, and of a PDF the text alone, as with `defineGuard`. */
  media?: Guard['media'];
  /** The guard's name, `redact` by default. */
  name?: string;
}

interface Pattern {
  name: string;
  expression: RE2JS;
  /** Whether what fits the expression is what the name says. */
  isMeant?: (found: string) => boolean;
}

const builtIn: Record<string, { source: RegExp; isMeant?: (found: string) => boolean }> = {
  email: { source: /[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}/ },
  iban: { source: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/i, isMeant: isIban },
  card: { source: /\b\d(?:[ -]?\d){11,18}\b/, isMeant: isCard },
};

const optionRules = fields<RedactOptions>({
  patterns: recordOf((value, at) =>
    value === true || value instanceof RegExp ? undefined : [at, 'must be a regular expression, or true'],
  ),
  at: listOf(oneOf(...guardPlaces)),
  media: optional(oneOf('pass', 'withhold')),
  name: optional(text),
});

/**
 * A guard that replaces personal data by its name: `ada@example.com` by `[email]`. It takes time in proportion to the text, whatever the
 * patterns are.
 *
 * @throws ConfigurationError naming the pattern, at build time.
 * @example
 * ```ts
 * import { defineAgent, redact } from 'vigil';
 *
 * const personal = redact({ patterns: { email: true, iban: true, staff: /\bE-\d{6}\b/ }, at: ['input', 'result'] });
 * const spec = { purpose: 'Answers visitors.', instructions: 'You answer visitors.', model: 'gpt-6.1-terra', tools: [] };
 * const guide = defineAgent({ ...spec, name: 'guide', guards: [personal] });
 * guide.guards?.[0]?.name; // → 'redact'
 * ```
 */
export function redact(options: RedactOptions): Guard {
  const whose = `guard ${options?.name ?? 'redact'}`;
  checkOptions(whose, options, optionRules);
  const { patterns: given, at, media, name = 'redact' } = options;
  const patterns = Object.entries(given).map(([one, pattern]) => compiled(whose, one, pattern));
  if (patterns.length === 0) throw new ConfigurationError(`${whose}: patterns: name at least one`);
  return defineGuard({
    name,
    at,
    ...(media && { media }),
    check(words, { at: place }) {
      const found = new Set<string>();
      const replaced =
        place === 'call' ? inJson(words, (one) => redacted(one, patterns, found)) : redacted(words, patterns, found);
      return found.size === 0 ? 'pass' : { replace: replaced, reason: [...found].join(', ') };
    },
  });
}

function compiled(whose: string, name: string, pattern: RedactPattern): Pattern {
  const refuse = (problem: string): never => {
    throw new ConfigurationError(`${whose}: patterns.${name}: ${problem}`);
  };
  if (!/^[a-z][a-z0-9 _-]{0,29}$/.test(name)) refuse('use lower-case words of at most 30 characters as the name');
  const known = pattern === true && Object.hasOwn(builtIn, name) ? builtIn[name] : undefined;
  if (pattern === true && !known)
    refuse(`there is no such pattern: the patterns are ${Object.keys(builtIn).join(', ')}`);
  const expression = known?.source ?? (pattern as RegExp);
  try {
    const compiledOne = RE2JS.compile(RE2JS.translateRegExp(expression.source), flagsOf(expression));
    if (compiledOne.matcher('').find()) refuse('it fits an empty text');
    return { name, expression: compiledOne, isMeant: known?.isMeant };
  } catch (error) {
    if ((error as Error).name === 'ConfigurationError') throw error;
    return refuse('write it without lookaround and backreferences, which cannot be searched in linear time');
  }
}

const flagsOf = ({ ignoreCase, multiline, dotAll }: RegExp): number =>
  (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) | (multiline ? RE2JS.MULTILINE : 0) | (dotAll ? RE2JS.DOTALL : 0);

/** The name cannot be found again: it has no character that a pattern of the deployment could meet twice in one pass. */
function redacted(words: string, patterns: readonly Pattern[], found: Set<string>): string {
  return patterns.reduce((text, pattern) => {
    const places = placesOf(text, pattern);
    if (places.length > 0) found.add(pattern.name);
    const ends = [0, ...places.map(({ end }) => end)];
    const parts = places.map(({ start }, index) => `${text.slice(ends[index], start)}[${pattern.name}]`);
    return parts.join('') + text.slice(ends.at(-1));
  }, words);
}

/** Returns where a text fits a pattern. */
function placesOf(text: string, { expression, isMeant = () => true }: Pattern): { start: number; end: number }[] {
  const places: { start: number; end: number }[] = [];
  const matcher = expression.matcher(text);
  while (matcher.find()) {
    const one = matcher.group() ?? '';
    if (one !== '' && isMeant(one)) places.push({ start: matcher.start(), end: matcher.end() });
  }
  return places;
}

const personal = Object.entries(builtIn).map(([name]) => compiled('personal data', name, true));

/** Returns where a text has what the patterns of Vigil fit. */
export const personalIn = (text: string): { name: string; start: number; end: number }[] =>
  personal.flatMap((pattern) => placesOf(text, pattern).map((place) => ({ name: pattern.name, ...place })));

/** Replaces in the texts of JSON, so that it stays JSON. Anything else is one text. */
function inJson(words: string, change: (one: string) => string): string {
  let read: unknown;
  try {
    read = JSON.parse(words);
  } catch {
    return change(words);
  }
  const changed = (value: unknown): unknown => {
    if (typeof value === 'string') return change(value);
    if (Array.isArray(value)) return value.map(changed);
    if (!isPlain(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, changed(one)]));
  };
  return JSON.stringify(changed(read));
}

/** ISO 13616: the check digits, modulo 97. */
export function isIban(found: string): boolean {
  const iban = found.replaceAll(' ', '').toUpperCase();
  if (iban.length < 15 || iban.length > 34) return false;
  let rest = 0;
  // ASCII, or no IBAN.
  for (const character of iban.slice(4) + iban.slice(0, 4))
    rest = Number(`${rest}${Number.parseInt(character, 36)}`) % 97;
  return rest === 1;
}

/** ISO/IEC 7812: the check digit of Luhn. */
export function isCard(found: string): boolean {
  const digits = [...found.replace(/\D/g, '')].reverse().map(Number);
  const sum = digits.reduce(
    (all, digit, index) => all + (index % 2 ? (digit * 2 > 9 ? digit * 2 - 9 : digit * 2) : digit),
    0,
  );
  return sum % 10 === 0 && new Set(digits).size > 1;
}
