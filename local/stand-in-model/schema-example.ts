import { clip } from '../../core/base/text/clip';
import { matching } from './pattern-example';
import type { Json } from './turn';

const formats: Record<string, string> = {
  'date-time': '2030-01-01T09:00:00Z',
  date: '2030-01-01',
  time: '09:00:00',
  duration: 'PT1H',
  email: 'ada@example.com',
  hostname: 'example.com',
  uri: 'https://example.com/',
  ipv4: '192.0.2.1',
  cidrv4: '192.0.2.0/24',
  ipv6: '2001:db8::1',
  cidrv6: '2001:db8::/32',
  mac: '00:00:5e:00:53:01',
  uuid: '3f0c7a52-9a4e-4d53-8c1b-5b1f5b0c2a11',
  guid: '3f0c7a52-9a4e-4d53-8c1b-5b1f5b0c2a11',
  cuid: 'cjld2cjxh0000qzrmn831i7rn',
  cuid2: 'tz4a98xxat96iws9zmbrgj3a',
  ulid: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  xid: '9m4e2mr0ui3e8a215n4g',
  ksuid: '1srOrx2ZWZBpBUvZwXKQmoEYga2',
  nanoid: 'V1StGXR8_Z5jdHi6B-myT',
  jwt: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhZGEifQ.c29tZSBzaWduYXR1cmU',
  e164: '+15550100123',
  emoji: '👍',
  hex: 'c0ffee',
  uppercase: 'SOME TEXT',
  base64: 'c29tZSB0ZXh0',
  base64url: 'c29tZSB0ZXh0',
};
/** Schemas may be recursive: lists end here, and everything ends at twice this depth. */
const maxDepth = 4;
const mostRepeats = 64;
const mostSteps = 2_000;

export const allowsNull = ({ type, anyOf, oneOf }: Json): boolean =>
  [type].flat().includes('null') || [...(anyOf ?? oneOf ?? [])].some(allowsNull);

/**
 * Returns a value that fits a JSON schema, with its limits: its author's default or example, also from the description;
 * otherwise null if that is allowed; otherwise the simplest value. Texts repeat the field's `name`.
 */
export function exampleOf(schema: Json, name = 'text', root = schema, depth = 0): unknown {
  const inside = (child: Json, field = name) => exampleOf(child ?? {}, field, root, depth + 1);
  const isDeep = depth > maxDepth;
  const { description = '', properties = {}, anyOf, oneOf = anyOf, items, prefixItems, $ref } = schema;
  const { const: fixed, default: usual, examples, enum: choices } = schema;
  const type = [schema.type].flat()[0] ?? (schema.properties ? 'object' : 'string');
  const given = [fixed, usual, examples?.[0], choices?.[0]].find((one) => one !== undefined);
  const described = /\bfor example:? (?:"([^"]+)"|(\S+\w))/i.exec(description)?.slice(1).find(Boolean);
  if (given !== undefined || depth > maxDepth * 2) return given ?? null;
  if (
    described &&
    [schema, ...(oneOf ?? [])].some((one) => [one.type].flat().includes('string') && fitsText(one)(described))
  )
    return described;
  if ($ref) return inside($ref.split('/').reduce((at: Json, key: string) => (key === '#' ? at : at?.[key]), root));
  if (schema.allOf?.some((part: Json) => part.properties))
    return Object.assign({}, ...schema.allOf.map((part: Json) => inside(part)));
  if (allowsNull(schema)) return null;
  if (oneOf) return inside((isDeep && oneOf.find((one: Json) => !one.$ref)) || oneOf[0]);
  if (type === 'object')
    return Object.fromEntries(Object.keys(properties).map((at) => [at, inside(properties[at], at)]));
  if (type === 'array') {
    const { minItems = isDeep ? 0 : 1, maxItems = minItems } = schema;
    return (prefixItems ?? Array(Math.min(minItems || (isDeep ? 0 : 1), maxItems)).fill(items)).map((item: Json) =>
      inside(item),
    );
  }
  if (/^(?:integer|number)$/.test(type)) return exampleNumber(schema);
  return type === 'boolean' ? true : exampleText(schema, name.replaceAll('_', ' '));
}

const ruleOf = (schema: Json, key: string): Json[] =>
  [schema, ...(schema.allOf ?? [])].flatMap((one) => one[key] ?? []);

/** Returns the number nearest to 1 that the limits allow. */
function exampleNumber(schema: Json): number {
  const divisors: number[] = ruleOf(schema, 'multipleOf');
  const isWhole = schema.type === 'integer';
  const step = Math.max(...divisors, isWhole ? 1 : 0);
  const { exclusiveMinimum: above = -Infinity, exclusiveMaximum: below = Infinity } = schema;
  const { minimum = -Infinity, maximum = Infinity } = schema;
  const [least, most] = [Math.max(minimum, above), Math.min(maximum, below)];
  const start = [least, most].find(Number.isFinite) ?? 0;
  const fits = (value: number) =>
    value >= minimum &&
    value <= maximum &&
    value > above &&
    value < below &&
    (!isWhole || Number.isInteger(value)) &&
    divisors.every((divisor) => Math.abs(value / divisor - Math.round(value / divisor)) < 1e-9);
  const nearest = Array.from({ length: step ? mostSteps : 0 }, (_, index) =>
    Number((step * (Math.round(start / step) + (index % 2 ? -1 : 1) * Math.ceil(index / 2))).toFixed(10)),
  );
  return [1, 0, start, start + 1, start - 1, (least + most) / 2, ...nearest].find(fits) ?? 1;
}

const expressionOf = (pattern: string): RegExp => new RegExp(pattern, /\\[pu]\{/.test(pattern) ? 'u' : '');
const fitsText = (schema: Json) => {
  const patterns = ruleOf(schema, 'pattern').map(expressionOf);
  const { minLength = 0, maxLength = Infinity } = schema;
  return (text: string): boolean =>
    text.length >= minLength && text.length <= maxLength && patterns.every((one) => one.test(text));
};

function exampleText(schema: Json, name: string): string {
  const { format, minLength = 0, maxLength = Infinity } = schema;
  const usual = (Object.hasOwn(formats, format) && formats[format]) || `some ${name}`;
  const long = usual.padEnd(minLength, ` ${usual}`);
  const short = long.length > maxLength ? clip(long, { characters: maxLength }) : long;
  const plain = [usual, short, short.toUpperCase(), short.toLowerCase(), name, `Some ${name} 1!`];
  const patterns: string[] = ruleOf(schema, 'pattern');
  const found = plain.find(fitsText(schema));
  if (found !== undefined || patterns.length === 0) return found ?? short;
  for (let more = 0; more <= mostRepeats; more++) {
    const each = patterns.map((pattern) => matching(pattern, more));
    const fitting = [...each, each.join(''), each.toReversed().join('')].find(fitsText(schema));
    if (fitting !== undefined) return fitting;
  }
  return usual;
}
