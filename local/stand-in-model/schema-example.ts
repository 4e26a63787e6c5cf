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
  uuid: '3f0c7a52-9a4e-4d53-8c1b-5b1f5b0c2a11',
  ipv6: '2001:db8::1',
};
/** Schemas may be recursive. */
const maxDepth = 6;

export const allowsNull = ({ type, anyOf, oneOf }: Json): boolean =>
  [type].flat().includes('null') || [...(anyOf ?? oneOf ?? [])].some(allowsNull);

/**
 * Returns a value that fits a JSON schema: its author's default or example, also from the description; otherwise null
 * if that is allowed; otherwise the simplest value. Texts repeat the field's `name`.
 */
export function exampleOf(schema: Json, name = 'text', root = schema, depth = 0): unknown {
  const inside = (child: Json, field = name) => exampleOf(child ?? {}, field, root, depth + 1);
  const { description = '', properties = {}, anyOf, oneOf = anyOf, items, prefixItems, minItems, $ref } = schema;
  const { const: fixed, default: usual, examples, enum: choices } = schema;
  const type = [schema.type].flat()[0] ?? (schema.properties ? 'object' : 'string');
  const given = [fixed, usual, examples?.[0], choices?.[0]].find((one) => one !== undefined);
  const described = /\bfor example:? (?:"([^"]+)"|(\S+\w))/i.exec(description)?.slice(1).find(Boolean);
  if (given !== undefined || depth > maxDepth) return given ?? null;
  if (described && [schema, ...(oneOf ?? [])].some((one) => [one.type].flat().includes('string'))) return described;
  if ($ref) return inside($ref.split('/').reduce((at: Json, key: string) => (key === '#' ? at : at?.[key]), root));
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part: Json) => inside(part)));
  if (allowsNull(schema)) return null;
  if (oneOf) return inside(oneOf[0]);
  if (type === 'object')
    return Object.fromEntries(Object.keys(properties).map((at) => [at, inside(properties[at], at)]));
  if (type === 'array') return (prefixItems ?? Array(minItems || 1).fill(items)).map((item: Json) => inside(item));
  if (/^(?:integer|number)$/.test(type)) return Math.max(schema.minimum ?? 1, (schema.exclusiveMinimum ?? 0) + 1);
  return type === 'boolean'
    ? true
    : (Object.hasOwn(formats, schema.format) && formats[schema.format]) || `some ${name.replaceAll('_', ' ')}`;
}
