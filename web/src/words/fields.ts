import type { Callback } from 'vigil-client';
import {
  changedFields,
  type DecisionField,
  type DrawnPart,
  decimalsOf,
  drawnSentence,
  fieldsOf,
  type SentencePart,
  unseen,
} from 'vigil-client/shared';
import { readClientJson, withTextNumbers } from '../../../core/base/json/foreign-json';
import type { InvalidInput } from '../../../core/base/text/errors';
import { t } from '../languages/catalogue';
import { currencySign, exampleOf, localMoney, money, moneyTyped, numeral, readNumber, typedNumber } from './amounts';
import { localTime } from './timer-form';
import { day, moment, plain } from './words';

/** The rules of a JSON schema for one argument. */
interface Rules {
  type?: string | string[];
  anyOf?: Rules[];
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  format?: string;
}

/** An argument of an approval as a form field. */
export interface Field {
  name: string;
  label: string;
  what?: string;
  kind: 'text' | 'number' | 'money' | 'date' | 'time' | 'flag' | 'choice' | 'json';
  asked: unknown;
  /** The content of the field before anything is typed; for a `flag`, whether it is set. */
  text: string | boolean;
  currency?: string;
  rules: Rules;
  mayBeEmpty: boolean;
  /** In a server's form, which asks for what is not there yet. */
  isBlank: boolean;
}

/** A person's input, by the name of the field. */
export type Typed = Readonly<Record<string, string | boolean>>;

type Asked = Pick<Callback, 'arguments' | 'fields' | 'schema' | 'asker'>;

/** Returns the fields of an approval's form, in the order of the decision. */
export function formOf({ arguments: args, fields = [], schema = {}, asker }: Asked): Field[] {
  const asked = new Map(Object.entries((args ?? {}) as object));
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Rules>; required?: string[] };
  const all = new Map(Object.entries(properties));
  return fields.map(({ name, label, what, currency }) => {
    const value: unknown = asked.get(name);
    const { rules, isNullable } = rulesIn(all.get(name) ?? {});
    const kind = currency ? 'money' : kindOf(value, rules);
    return {
      name,
      label,
      what,
      kind,
      currency,
      rules,
      asked: value,
      text: kind === 'flag' ? value === true : textOf(value, kind, currency),
      mayBeEmpty: asker ? !required.includes(name) : isNullable,
      isBlank: asker !== undefined,
    };
  });
}

function rulesIn(rules: Rules): { rules: Rules; isNullable: boolean } {
  const parts = rules.anyOf ?? [];
  const isNull = ({ type }: Rules) => type === 'null';
  if (parts.length === 2 && parts.some(isNull)) return { rules: parts.find((one) => !isNull(one))!, isNullable: true };
  const types = [rules.type ?? []].flat();
  return { rules: { ...rules, type: types.filter((type) => type !== 'null') }, isNullable: types.includes('null') };
}

function kindOf(value: unknown, { type, enum: options, format }: Rules): Field['kind'] {
  const types = [type ?? []].flat();
  const isOf = (...some: string[]) => types.length === 1 && some.includes(types[0]!);
  if (options?.every((one) => typeof one === 'string')) return 'choice';
  if (format === 'date' && (value === null || isDate.test(String(value)))) return 'date';
  if (format === 'date-time' && (value === null || isMoment(value))) return 'time';
  if (typeof value === 'boolean') return 'flag';
  if (typeof value === 'number' || (value === null && isOf('number', 'integer'))) return 'number';
  return typeof value === 'string' || (value === null && isOf('string')) ? 'text' : 'json';
}

const isDate = /^\d{4}-\d\d-\d\d$/;

/** A time without a zone is that of a clock somewhere: it must not become the reader's. */
const isMoment = (value: unknown): boolean =>
  /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(String(value)) && !Number.isNaN(Date.parse(String(value)));

function textOf(value: unknown, kind: Field['kind'], currency?: string): string {
  if (kind === 'json') return JSON.stringify(value) ?? '';
  if (value === null || value === undefined) return '';
  if (kind === 'time') return localTime(new Date(String(value)));
  if (kind === 'number') return typedNumber(String(value));
  return kind === 'money' ? moneyTyped(value as number, currency!) : String(value);
}

type Entered = { value: unknown } | { problem: string };

/** Returns the value of a field, or why it is none, in words. What was not changed stays as it was asked. */
function entered(field: Field, typed: Typed): Entered {
  const text = Object.hasOwn(typed, field.name) ? typed[field.name]! : field.text;
  if (typeof text === 'boolean') return { value: text };
  const isChanged = text !== field.text;
  if (text.trim() === '' && (isChanged || field.isBlank)) {
    if (!field.mayBeEmpty) return { problem: t('fill it in') };
    return { value: isChanged ? null : field.asked };
  }
  if (!isChanged) return { value: field.asked };
  switch (field.kind) {
    case 'flag':
    case 'choice':
      return { value: text };
    case 'text':
      return lengthIn(field, text);
    case 'json':
      return jsonIn(text);
    case 'date':
      return isDate.test(text) ? { value: text } : { problem: t('enter a day') };
    case 'time': {
      const time = new Date(text);
      if (Number.isNaN(time.getTime())) return { problem: t('enter a day and a time') };
      const written = time.toISOString();
      // Some schemas refuse fractions of a second.
      return { value: String(field.asked).includes('.') ? written : written.replace('.000', '') };
    }
    default:
      return numberIn(field, text);
  }
}

function lengthIn(
  { rules: { minLength = 0, maxLength = Number.POSITIVE_INFINITY, format } }: Field,
  text: string,
): Entered {
  if (format === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) return { problem: t('enter an e-mail address') };
  if (text.length < minLength)
    return {
      problem: t('write at least {count, plural, one {# character} other {# characters}}', { count: minLength }),
    };
  if (text.length > maxLength)
    return {
      problem: t('write at most {count, plural, one {# character} other {# characters}}', { count: maxLength }),
    };
  return { value: text };
}

/** The server refuses the same JSON: what is nested deeply, has half a character, or a number with more digits than it keeps. */
function jsonIn(text: string): Entered {
  try {
    return { value: readClientJson(text, 'it') };
  } catch (error) {
    const { path, message } = error as InvalidInput;
    return { problem: `${path} ${message}` };
  }
}

function numberIn({ kind, currency, rules, asked }: Field, text: string): Entered {
  const digits = readNumber(currency ? withoutSign(text.trim(), currencySign(currency)) : text.trim(), currency);
  if (digits === undefined) {
    if (!currency) return { problem: t('enter a number') };
    return { problem: t('enter an amount, such as {example}', { example: exampleOf(currency) }) };
  }
  const decimals = digits.split('.')[1]?.length ?? 0;
  if (currency && decimals > decimalsOf(currency)) {
    const values = { count: decimalsOf(currency), example: exampleOf(currency) };
    const problem = t('enter at most {count, plural, one {# decimal} other {# decimals}}, such as {example}', {
      count: values.count,
      example: values.example,
    });
    return { problem };
  }
  const types = [rules.type ?? []].flat();
  const isWhole = types.includes('integer') || (types.length === 0 && Number.isInteger(asked));
  if (kind === 'number' && isWhole && decimals > 0) return { problem: t('enter a whole number') };
  if (!currency && withTextNumbers(digits) !== digits) return { problem: t('enter fewer digits') };
  const value = currency
    ? Number(digits.replace('.', '') + '0'.repeat(decimalsOf(currency) - decimals))
    : Number(digits);
  if ((currency || isWhole) && !Number.isSafeInteger(value)) return { problem: t('enter a smaller number') };
  const problem = rangeProblem(value, rules, (limit) => (currency ? money(limit, currency) : numeral(limit)));
  return problem ? { problem } : { value };
}

function withoutSign(text: string, sign: string): string {
  const minus = text.startsWith('-') ? '-' : '';
  const bare = text.slice(minus.length);
  if (bare.startsWith(sign)) return minus + bare.slice(sign.length).trim();
  return bare.endsWith(sign) ? minus + bare.slice(0, -sign.length).trim() : text;
}

function rangeProblem(value: number, rules: Rules, words: (limit: number) => string): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = rules;
  if (minimum !== undefined && value < minimum) return t('at least {limit}', { limit: words(minimum) });
  if (maximum !== undefined && value > maximum) return t('at most {limit}', { limit: words(maximum) });
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
    return t('more than {limit}', { limit: words(exclusiveMinimum) });
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum)
    return t('less than {limit}', { limit: words(exclusiveMaximum) });
  if (multipleOf === undefined || value % multipleOf === 0) return undefined;
  return t('a multiple of {number}', { number: words(multipleOf) });
}

export interface Form {
  /** The arguments, unless there is a problem. */
  values?: Record<string, unknown>;
  isEdited: boolean;
  /** By the name of the field. */
  problems: ReadonlyMap<string, string>;
  /** The only amount of money, as it would be approved. */
  amount?: string;
}

/** Returns what would be sent, or what is wrong with it. */
export function formIn(fields: readonly Field[], typed: Typed): Form {
  const read = fields.map((field) => ({ field, read: entered(field, typed) }));
  const problems = new Map(
    read.flatMap(({ field, read }) => ('problem' in read ? [[field.name, read.problem] as const] : [])),
  );
  if (problems.size > 0) return { problems, isEdited: true };
  const values = Object.fromEntries(
    read.flatMap(({ field, read }) => ('value' in read ? [[field.name, read.value] as const] : [])),
  );
  const amounts = fields.filter(({ kind }) => kind === 'money');
  const [only] = amounts;
  const amount = only && values[only.name];
  return {
    values,
    problems,
    isEdited: fields.some(({ name, asked }) => JSON.stringify(values[name]) !== JSON.stringify(asked)),
    ...(amounts.length === 1 && typeof amount === 'number' && { amount: money(amount, only!.currency!) }),
  };
}

/** Returns what would be approved, with what was asked where it differs. */
export const editedFields = ({ fields = [], schema, kinds }: Callback, values: object): DecisionField[] =>
  changedFields(fields, fieldsOf({ arguments: values, schema, kinds }));

type Drawn = Pick<DecisionField, 'kind' | 'text' | 'currency'>;

/**
 * Returns a value in the reader's language, time zone and notation of numbers. The server draws it for notifications and e-mails, in
 * English. Only a text is in quotes, so what stands without them is no text that looks alike.
 *
 * @param now without it, a time has its day and its year.
 */
export function localValue({ kind, text, currency }: Drawn, now = 0): string {
  const ms = Date.parse(kind === 'date' ? `${text}T12:00` : text);
  // What was asked for before a change may have been no date.
  if (kind === 'time' && !Number.isNaN(ms)) return moment(text, now, ms % 60_000 !== 0);
  if (kind === 'date' && !Number.isNaN(ms)) return day(ms, now);
  if (/^-?\d+\.\d+$/.test(text)) return typedNumber(text);
  switch (text) {
    case 'nothing':
      return t('nothing');
    case 'yes':
      return t('yes');
    case 'no':
      return t('no');
    default:
      return currency ? localMoney(text, currency) : text;
  }
}

/** Returns a value as it stands among other words: it is drawn in bold, so a plain text needs no quotes. */
export function bareValue(field: Drawn, now: number): string {
  const [, inside] = /^\u2068?"([^"\\]*)"\u2069?$/.exec(field.text) ?? [];
  return field.kind === 'text' && inside?.trim() ? inside : localValue(field, now);
}

/** Puts the fields of a decision into its sentence, with the words that stand for a value in the reader's language. */
export function localSentence(
  sentence: readonly SentencePart[],
  fields: readonly DecisionField[],
): ReturnType<typeof drawnSentence> {
  const { parts, rest } = drawnSentence(sentence, fields);
  const labels = new Map(fields.map(({ name, label }) => [name, label]));
  const local = parts.map((part, at): DrawnPart => {
    const asked = sentence[at]!;
    if ('field' in part || 'text' in asked || part.text === '…') return part;
    const label = labels.get(asked.field);
    return { text: label === undefined ? t('nothing') : t('{label} (below)', { label }) };
  });
  return { parts: local, rest };
}

/** Returns the question of a decision as plain text. */
export function questionText({
  prompt,
  sentence,
  fields = [],
}: Pick<Callback, 'prompt' | 'sentence' | 'fields'>): string {
  if (!sentence) return prompt;
  const { parts } = localSentence(sentence, fields);
  return parts.map((part) => ('text' in part ? part.text : valueText(part.field))).join('');
}

function valueText({ was, what, ...field }: DecisionField): string {
  const before = was && t('(was {value})', { value: localValue({ ...field, text: was }) });
  return [localValue(field), what && `(${what})`, before].filter(Boolean).join(' ');
}

/** Returns what was typed and has not been sent, as lines. */
export const typedWords = (typed: Typed, labels: ReadonlyMap<string, string>): string[] =>
  Object.entries(typed).map(
    ([name, text]) => `${labels.get(name) ?? plain(name)}: ${typeof text === 'boolean' ? flagWords(text) : text}`,
  );

const flagWords = (is: boolean): string => (is ? t('yes') : t('no'));

/** Characters that are not visible, or that change the direction of the text around them. Line breaks are visible. */
const hidden = new RegExp(String.raw`(?!\n)${unseen}`, 'gu');

/** Writes out the characters of a text that cannot be seen, as ‹U+202E›. Undefined if it has none. */
export function withHidden(text: string): string | undefined {
  const written = text.replace(
    hidden,
    (character) => `‹U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}›`,
  );
  return written === text ? undefined : written;
}
