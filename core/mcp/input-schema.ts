import * as z from 'zod';
import { ConfigurationError } from '../text/errors';
import type { JsonSchema } from './pin';

/** Keywords whose meaning a strict schema for models cannot have. */
const inexpressible = [
  ...['allOf', 'not', 'if', 'patternProperties', 'prefixItems', 'propertyNames', '$dynamicRef'],
  ...['dependentSchemas', 'dependentRequired', 'unevaluatedProperties', 'contains'],
];
/** Deeper schemas refer to themselves, or cannot be reviewed. */
const deepest = 12;

interface Place {
  root: JsonSchema;
  path: string[];
}

/**
 * Returns the schema of a tool's arguments, for the model and for the check of its calls. Strict schemas require every field, so an
 * optional field is nullable: `argumentsFor` leaves the nulls out again. The server checks what is not carried over, as patterns.
 *
 * @throws ConfigurationError naming the field that cannot be expressed.
 */
export const inputOf = (schema: JsonSchema): z.ZodObject => objectOf(schema, { root: schema, path: [] });

function typeOf(given: unknown, place: Place): z.ZodType {
  const schema = resolved(given, place);
  const keyword = inexpressible.find((one) => Object.hasOwn(schema, one));
  if (keyword) refuse(place, `"${keyword}" cannot be expressed`);
  const values = 'const' in schema ? [schema.const] : schema.enum;
  if (Array.isArray(values)) return literals(values, place);
  const options = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(options)) return z.union(options.map((one, index) => typeOf(one, inside(place, `${index}`))));
  if (Array.isArray(schema.type)) return z.union(schema.type.map((type) => typeOf({ ...schema, type }, place)));
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  switch (schema.type) {
    case 'string':
      return within(z.string(), minLength, maxLength);
    case 'integer':
      return within(z.int(), minimum, maximum);
    case 'number':
      return within(z.number(), minimum, maximum);
    case 'boolean':
      return z.boolean();
    case 'null':
      return z.null();
    case 'array':
      return within(z.array(typeOf(schema.items, inside(place, 'items'))), minItems, maxItems);
    case 'object':
      if (!isSchema(schema.properties)) refuse(place, 'an object must name its properties');
      return objectOf(schema, place);
    default:
      return refuse(place, 'has no type');
  }
}

function objectOf(schema: JsonSchema, place: Place): z.ZodObject {
  const properties = isSchema(schema.properties) ? schema.properties : {};
  const fields = Object.entries(properties).map(([name, given]) => {
    const at = inside(place, name);
    if (!/^(?!__proto__$)[\w$@.-]{1,64}$/.test(name)) refuse(at, 'rename it: use letters, digits and "_"');
    const { description, title = name, default: usual } = resolved(given, at);
    const type = typeOf(given, at);
    const words = String(description || title);
    if (isRequired(schema, name)) return [name, type.describe(words)];
    const standard = usual === undefined ? '' : `, which is ${JSON.stringify(usual)}`;
    return [name, type.nullable().describe(`${words.replace(/\.$/, '')}. Null for the default${standard}.`)];
  });
  return z.object(Object.fromEntries(fields));
}

/** Returns the arguments as the server expects them: without the nulls that stand for absent fields. */
export const argumentsFor = (schema: JsonSchema, input: Record<string, unknown>): Record<string, unknown> =>
  sent(schema, input, { root: schema, path: [] }) as Record<string, unknown>;

function sent(given: unknown, value: unknown, place: Place): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const schema = resolved(given, place);
  const options = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(options)) {
    const fitting = options.find((one) => typeOf(one, place).safeParse(value).success);
    return fitting ? sent(fitting, value, place) : value;
  }
  if (Array.isArray(value)) return value.map((one) => sent(schema.items, one, place));
  const { properties } = schema;
  if (!isSchema(properties)) return value;
  const fields = Object.entries(value).filter(([name, one]) => one !== null || isRequired(schema, name));
  return Object.fromEntries(fields.map(([name, one]) => [name, sent(properties[name], one, inside(place, name))]));
}

/** Follows `$ref`, which may only point into the same schema. */
function resolved(given: unknown, place: Place): JsonSchema {
  if (!isSchema(given)) refuse(place, 'has no schema');
  if (place.path.length > deepest) refuse(place, 'is nested too deeply, or refers to itself');
  const { $ref: reference, ...rest } = given;
  if (reference === undefined) return given;
  const [start, ...names] = String(reference).split('/');
  if (start !== '#') refuse(place, '"$ref" must point into the same schema');
  const keys = names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  const target = keys.reduce<unknown>((found, name) => (isSchema(found) ? found[name] : undefined), place.root);
  return { ...resolved(target, inside(place, '$ref')), ...rest };
}

function literals(values: unknown[], place: Place): z.ZodType {
  const plain = values.filter((one) => one === null || /^(string|number|boolean)$/.test(typeof one));
  if (plain.length === 0 || plain.length < values.length) refuse(place, '"enum" must list texts, numbers or null');
  return z.literal(plain as string[]);
}

interface Limited<Type> {
  min(limit: number): Type;
  max(limit: number): Type;
}
function within<Type extends Limited<Type>>(type: Type, least: unknown, most: unknown): Type {
  const from = typeof least === 'number' ? type.min(least) : type;
  return typeof most === 'number' ? from.max(most) : from;
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isRequired = ({ required }: JsonSchema, name: string): boolean =>
  Array.isArray(required) && required.includes(name);
const inside = ({ root, path }: Place, name: string): Place => ({ root, path: [...path, name] });

function refuse({ path }: Place, problem: string): never {
  throw new ConfigurationError(`inputSchema${path.map((name) => `.${name}`).join('')}: ${problem}`);
}
