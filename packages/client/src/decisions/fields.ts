import type { DecisionField } from '../api-types';
import { amount, currencyIn, isCurrency } from './money';
import { drawn, named, quoted } from './quoted';

/** A part of JSON Schema. `currency`: the number is an amount of its smallest unit. */
export interface ArgumentSchema {
  properties?: Record<string, ArgumentRules>;
}

interface ArgumentRules extends Record<string, unknown> {
  type?: string | string[];
  currency?: unknown;
  /** The field's name for people. */
  title?: unknown;
  format?: unknown;
}

export interface Asked {
  arguments?: unknown;
  schema?: unknown;
  /** The kinds of the arguments, by name. */
  kinds?: Record<string, string>;
}

/**
 * Returns the arguments of a call as a person who decides about it reads them: the amount first, then who gets it, then the rest as the
 * schema has it. The card, the notification, the e-mail, the export and the API draw these.
 */
export function fieldsOf({ arguments: args, schema, kinds = {} }: Asked): DecisionField[] {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return [];
  const properties = new Map(Object.entries((schema as ArgumentSchema | undefined)?.properties ?? {}));
  const places = [...properties.keys()];
  const given = Object.entries(args)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ({ name, value, currency: currencyOf(name, value, properties.get(name)?.currency) }))
    .sort(
      (a, b) =>
        rankOf(a) - rankOf(b) || placeOf(places, a.name) - placeOf(places, b.name) || (a.name < b.name ? -1 : 1),
    );
  const labels = given.map(({ name, currency }) => {
    const title = properties.get(name)?.title;
    if (typeof title === 'string' && title.trim()) return plain(title);
    return currency ? withoutUnit(name, currency) : named(name);
  });
  const areUnique = new Set(labels).size === labels.length;
  const what = new Map(Object.entries(kinds));
  return given.map(
    ({ name, value, currency }, at): DecisionField => ({
      name,
      label: areUnique ? labels[at]! : named(name),
      ...(currency ? { kind: 'money', text: amount(value as number, currency) } : drawnAs(value, properties.get(name))),
      ...(what.has(name) && { what: plain(what.get(name)!) }),
      ...(currency && { currency }),
    }),
  );
}

const dates: Record<string, [DecisionField['kind'], RegExp]> = {
  date: ['date', /^\d{4}-\d\d-\d\d$/],
  'date-time': ['time', /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/],
};

/** A date needs no quotes: it has only digits and signs. */
function drawnAs(value: unknown, { format }: ArgumentRules = {}): Pick<DecisionField, 'kind' | 'text'> {
  const [kind, pattern] = dates[String(format)] ?? [];
  if (kind && typeof value === 'string' && pattern!.test(value) && isReal(value)) return { kind, text: value };
  return { kind: kindOf(value), text: drawn(value) };
}

/** Whether a calendar has the day, and a clock the time. A reader of 31 February would be shown another day. */
function isReal(value: string): boolean {
  const date = value.slice(0, 'yyyy-mm-dd'.length);
  const midnight = Date.parse(`${date}T00:00:00Z`);
  const isDay = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date);
  return isDay && !Number.isNaN(Date.parse(value));
}

const currencyOf = (name: string, value: unknown, declared: unknown): string | undefined => {
  if (!Number.isSafeInteger(value)) return undefined;
  return typeof declared === 'string' && isCurrency(declared) ? declared : currencyIn(name);
};

/** The amount is not in cents any more, so its name does not say so. */
const withoutUnit = (name: string, currency: string): string =>
  named(name.replace(new RegExp(`(^|_)(${currency.toLowerCase()}_)?cents$`), '') || 'amount');

const placeOf = (places: string[], name: string): number => {
  const at = places.indexOf(name);
  return at < 0 ? places.length : at;
};

const amounts = /(^|_)(amount|sum|total|price|cents)(_|$)/;
const receivers = /(^|_)(to|recipients?|receivers?|payee|beneficiary)(_|$)/;

function rankOf({ name, value, currency }: { name: string; value: unknown; currency?: string }): number {
  const words = name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  if (currency || (typeof value === 'number' && amounts.test(words))) return 0;
  return receivers.test(words) ? 1 : 2;
}

function kindOf(value: unknown): DecisionField['kind'] {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'list';
  switch (typeof value) {
    case 'string':
      return 'text';
    case 'boolean':
      return 'yes or no';
    case 'object':
      return 'object';
    default:
      return 'number';
  }
}

/** Keeps what the tool says as it is if it is plain words. A server's words may be anything. */
function plain(words: string): string {
  const safe = quoted(words);
  return /^[\p{L}\p{N}]+([ ,/-]+[\p{L}\p{N}]+)*$/u.test(words) && safe === `"${words}"` ? words : safe;
}

/** Returns a field on one line. */
export const lineOf = ({ label, text, what, was }: DecisionField): string =>
  `${label}: ${text}${what ? ` (${what})` : ''}${was ? `, was ${was}` : ''}`;

/** Returns the approved fields. Where the approver has changed one, it says what was asked. */
export function changedFields(asked: DecisionField[], approved: DecisionField[]): DecisionField[] {
  const before = new Map(asked.map((field) => [field.name, field]));
  const now = approved.map((field) => {
    const { text: was = 'nothing', currency } = before.get(field.name) ?? {};
    before.delete(field.name);
    if (was === field.text) return field;
    // What the tool said of the value that was asked for.
    const { what: _, ...rest } = field;
    return { ...(currency && { currency }), ...rest, was };
  });
  const removed = [...before.values()].map(
    (field): DecisionField => ({ ...field, kind: 'nothing', text: 'nothing', was: field.text }),
  );
  return [...now, ...removed];
}
