import type { Callback } from 'vigil-client';
import { changedFields, type DecisionField, fieldsOf, unseen } from 'vigil-client/shared';
import { readClientJson, withTextNumbers } from '../../../core/base/json/foreign-json';
import type { InvalidInput } from '../../../core/base/text/errors';
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
      ...{ name, label, what, kind, currency, rules, asked: value },
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
  if (kind !== 'money') return String(value);
  const [whole, part] = unitsOf(value as number, currency!);
  return part ? `${whole}.${part}` : whole;
}

const decimalsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

function unitsOf(amount: number, currency: string): [whole: string, part: string] {
  const decimals = decimalsOf(currency);
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0');
  const end = digits.length - decimals;
  return [`${amount < 0 ? '-' : ''}${digits.slice(0, end)}`, digits.slice(end)];
}

/** Returns an amount of a currency's smallest unit as the server draws it. */
export function money(amount: number, currency: string): string {
  const text = textOf(amount, 'money', currency);
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(text as `${number}`);
}

export const currencySign = (currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).formatToParts(0).find(({ type }) => type === 'currency')!
    .value;

type Entered = { value: unknown } | { problem: string };

/** Returns the value of a field, or why it is none, in words. What was not changed stays as it was asked. */
function entered(field: Field, typed: Typed): Entered {
  const text = Object.hasOwn(typed, field.name) ? typed[field.name]! : field.text;
  if (typeof text === 'boolean') return { value: text };
  const isChanged = text !== field.text;
  if (text.trim() === '' && (isChanged || field.isBlank)) {
    if (!field.mayBeEmpty) return { problem: 'fill it in' };
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
      return isDate.test(text) ? { value: text } : { problem: 'enter a day' };
    case 'time': {
      const time = new Date(text);
      if (Number.isNaN(time.getTime())) return { problem: 'enter a day and a time' };
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
  if (format === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) return { problem: 'enter an e-mail address' };
  if (text.length < minLength) return { problem: `write at least ${minLength} characters` };
  if (text.length > maxLength) return { problem: `write at most ${maxLength} characters` };
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

/** A comma stands between thousands, a point before decimals. Any other use could mean another amount elsewhere. */
const decimal = /^-?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/;

function numberIn({ kind, currency, rules, asked }: Field, text: string): Entered {
  const sign = currency && currencySign(currency);
  const bare = sign && text.trim().startsWith(sign) ? text.trim().slice(sign.length).trim() : text.trim();
  const match = decimal.exec(bare);
  const example = kind === 'money' ? ', such as 1,234.50' : '';
  if (!match) return { problem: `enter ${kind === 'money' ? 'an amount' : 'a number'}${example}` };
  const decimals = match[1]?.length ?? 0;
  if (kind === 'money' && decimals > decimalsOf(currency!))
    return { problem: `enter at most ${decimalsOf(currency!)} decimals: a comma stands between thousands` };
  const types = [rules.type ?? []].flat();
  const isWhole = types.includes('integer') || (types.length === 0 && Number.isInteger(asked));
  if (kind === 'number' && isWhole && decimals > 0) return { problem: 'enter a whole number' };
  const digits = bare.replaceAll(',', '');
  if (withTextNumbers(digits) !== digits) return { problem: 'enter fewer digits' };
  const value =
    kind === 'money' ? Number(digits.replace('.', '') + '0'.repeat(decimalsOf(currency!) - decimals)) : Number(digits);
  if ((kind === 'money' || isWhole) && !Number.isSafeInteger(value)) return { problem: 'enter a smaller number' };
  const problem = rangeProblem(value, rules, (limit) => (currency ? money(limit, currency) : String(limit)));
  return problem ? { problem } : { value };
}

function rangeProblem(value: number, rules: Rules, words: (limit: number) => string): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = rules;
  if (minimum !== undefined && value < minimum) return `at least ${words(minimum)}`;
  if (maximum !== undefined && value > maximum) return `at most ${words(maximum)}`;
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return `more than ${words(exclusiveMinimum)}`;
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) return `less than ${words(exclusiveMaximum)}`;
  return multipleOf !== undefined && value % multipleOf !== 0 ? `a multiple of ${words(multipleOf)}` : undefined;
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
    ...{ values, problems },
    isEdited: fields.some(({ name, asked }) => JSON.stringify(values[name]) !== JSON.stringify(asked)),
    ...(amounts.length === 1 && typeof amount === 'number' && { amount: money(amount, only!.currency!) }),
  };
}

/** Returns what would be approved, with what was asked where it differs. */
export const editedFields = ({ fields = [], schema, kinds }: Callback, values: object): DecisionField[] =>
  changedFields(fields, fieldsOf({ arguments: values, schema, kinds }));

/** Returns a value as it stands among other words: it is drawn in bold, so a plain text needs no quotes, and a time is the reader's. */
export function bareValue({ kind, text }: Pick<DecisionField, 'kind' | 'text'>, now: number): string {
  const ms = Date.parse(kind === 'date' ? `${text}T12:00` : text);
  // What was asked for before a change may have been no date.
  if (kind === 'time' && !Number.isNaN(ms)) return moment(text, now, ms % 60_000 !== 0);
  if (kind === 'date' && !Number.isNaN(ms)) return day(ms, now);
  const [, inside] = /^\u2068?"([^"\\]*)"\u2069?$/.exec(text) ?? [];
  return kind === 'text' && inside?.trim() ? inside : text;
}

/** Returns what was typed and has not been sent, as lines. */
export const typedWords = (typed: Typed, labels: ReadonlyMap<string, string>): string[] =>
  Object.entries(typed).map(
    ([name, text]) => `${labels.get(name) ?? plain(name)}: ${typeof text === 'boolean' ? (text ? 'yes' : 'no') : text}`,
  );

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
