import * as z from 'zod';
import type { Json } from './turn';

const number = String.raw`(-?[\d.]+(?:e[+-]?\d+)?)`;
const whole = (text: string): Json => Number(text);
/** The words for what providers do not enforce, as Vigil adds them to a description (docs/tools.md, "What a model is told"). */
const forms: [RegExp, (...found: string[]) => Json][] = [
  [/exactly (\d+) characters?/, (count) => ({ minLength: whole(count), maxLength: whole(count) })],
  [/(\d+) to (\d+) characters?/, (least, most) => ({ minLength: whole(least), maxLength: whole(most) })],
  [/at least (\d+) characters?/, (least) => ({ minLength: whole(least) })],
  [/at most (\d+) characters?/, (most) => ({ maxLength: whole(most) })],
  [/exactly (\d+) items?/, (count) => ({ minItems: whole(count), maxItems: whole(count) })],
  [/(\d+) to (\d+) items?/, (least, most) => ({ minItems: whole(least), maxItems: whole(most) })],
  [/at least (\d+) items?/, (least) => ({ minItems: whole(least) })],
  [/at most (\d+) items?/, (most) => ({ maxItems: whole(most) })],
  [RegExp(`from ${number} to ${number}`), (least, most) => ({ minimum: whole(least), maximum: whole(most) })],
  [RegExp(`exactly ${number}`), (only) => ({ minimum: whole(only), maximum: whole(only) })],
  [RegExp(`at least ${number}`), (least) => ({ minimum: whole(least) })],
  [RegExp(`at most ${number}`), (most) => ({ maximum: whole(most) })],
  [RegExp(`more than ${number}`), (least) => ({ exclusiveMinimum: whole(least) })],
  [RegExp(`less than ${number}`), (most) => ({ exclusiveMaximum: whole(most) })],
  [RegExp(`a multiple of ${number}`), (divisor) => ({ allOf: [{ multipleOf: whole(divisor) }] })],
  [/without duplicates/, () => ({ uniqueItems: true })],
  [/in UTC, ending in Z/, () => ({})],
  [/format: ([\w-]+)/, (format) => ({ format })],
  [/for example ("(?:[^"\\]|\\.)*"|-?[\d.]+|true|false|null)/, (example) => ({ examples: [JSON.parse(example)] })],
  [/matches \/(.+?)\/(?=$|, (?:matches \/|for example |a multiple of ))/s, (pattern) => ({ allOf: [{ pattern }] })],
];
const starts = forms.map(([form, read]) => [RegExp(`^${form.source}(?:, |$)`, form.flags), read] as const);

/** Returns the limits of a list in words; undefined if it has other words. */
function limitsIn(words: string): Json | undefined {
  const limits: Json = {};
  for (let rest = words; rest; ) {
    const [form, read] = starts.find(([one]) => one.test(rest)) ?? [];
    if (!form || !read) return undefined;
    const [{ length }, ...found] = form.exec(rest)!;
    const { allOf = [], ...told } = read(...found);
    Object.assign(limits, told, allOf.length > 0 && { allOf: [...(limits.allOf ?? []), ...allOf] });
    rest = rest.slice(length);
  }
  return limits;
}

/** Reads a description: limits alone, or in brackets after the author's words, and before the note on null. */
function toldLimits(description: string): Json {
  const words = description.replace(/(?:^|\.? )Null (?:to leave it out|for the default, .*)\.$/s, '');
  const lists = [words, ...[...words.matchAll(/ \((?=(.*)\)$)/gs)].map(([, list = '']) => list)];
  return lists.map(limitsIn).find(Boolean) ?? {};
}

/** Returns a schema as its author wrote it: the limits that Vigil tells a model in words are limits again. */
export function withLimits(schema: Json): Json {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(withLimits);
  const each = (named: Json = {}) =>
    Object.fromEntries(Object.keys(named).map((name) => [name, withLimits(named[name])]));
  const { description = '', properties, $defs, items, prefixItems, anyOf } = schema;
  const { examples, ...limits } = toldLimits(description);
  const inner = {
    ...(properties && { properties: each(properties) }),
    ...($defs && { $defs: each($defs) }),
    ...(items && { items: withLimits(items) }),
    ...(prefixItems && { prefixItems: withLimits(prefixItems) }),
  };
  // An optional field's limits are told beside its two options.
  if (anyOf)
    return {
      ...schema,
      ...inner,
      ...(examples && { examples }),
      anyOf: withLimits(anyOf).map((one: Json) => limited(one, limits)),
    };
  return { ...limited(schema, limits), ...inner, ...(examples && { examples }) };
}

const limited = (schema: Json, limits: Json): Json =>
  schema.type === 'null' || schema.$ref ? schema : { ...schema, ...limits };

/** Returns what is wrong with a value, with the field; undefined if it fits the schema. */
export function misfit(schema: Json, value: unknown): string | undefined {
  const { error } = z.fromJSONSchema(schema).safeParse(value);
  const [issue] = error?.issues ?? [];
  return issue && [issue.path.join('.'), issue.message].filter(Boolean).join(': ');
}
