import * as z from 'zod';
import { isJsonObject } from '../../base/json/json-object';
import { ConfigurationError } from '../../base/text/errors';

/** A JSON schema, as a server wrote it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Keywords whose meaning a strict schema for models cannot have. */
const inexpressible = [
  'not',
  'if',
  'patternProperties',
  'prefixItems',
  'propertyNames',
  '$dynamicRef',
  'dependentSchemas',
  'dependentRequired',
  'unevaluatedProperties',
  'contains',
];
/** Deeper schemas refer to themselves, or cannot be reviewed. */
const deepest = 12;

interface Place {
  /** Whether providers enforce the schema. If not, a model may send what is not named, and the server checks the rest. */
  strict: boolean;
  root: JsonSchema;
  path: string[];
}

/**
 * Returns the schema of a tool's arguments, for the model and for the check of its calls. The server checks what is not carried over,
 * as patterns.
 *
 * @throws ConfigurationError naming the field that cannot be expressed.
 */
export function inputOf(schema: JsonSchema, strict = true): z.ZodObject {
  const place: Place = { strict, root: schema, path: [] };
  const { type, properties, additionalProperties: further, ...rest } = resolved(schema, place);
  // A tool without arguments may leave everything out.
  const isEmpty = Object.keys(isJsonObject(properties) ? properties : {}).length === 0;
  if (type !== undefined && type !== 'object') refuse(place, `"type" must be "object", not ${JSON.stringify(type)}`);
  if (strict && (isOpen(further) || (isEmpty && 'patternProperties' in rest)))
    refuse(place, isEmpty ? 'its fields must have names' : '"additionalProperties" lets it have fields without names');
  const keyword = [...inexpressible, 'anyOf', 'oneOf', 'enum', 'const'].find((one) => Object.hasOwn(rest, one));
  if (strict && keyword) refuse(place, `"${keyword}" cannot be expressed`);
  const named = objectOf({ ...rest, properties, additionalProperties: further }, place);
  // Patterns name fields that the schema does not.
  return strict || further === false ? named : open(named, further, place);
}

/** Lets a model send fields that are not named. */
const open = (named: z.ZodObject, further: unknown, place: Place): z.ZodObject =>
  named.catchall(isJsonObject(further) ? typeOf(further, inside(place, 'additionalProperties')) : z.unknown());

/** Whether an object may have fields that its schema does not name, as its author says. */
const isOpen = (further: unknown): boolean => further === true || isJsonObject(further);

function typeOf(given: unknown, place: Place): z.ZodType {
  const { nullable, ...schema } = resolved(given, place);
  // OpenAPI's word for `type: [..., "null"]`.
  if (nullable === true) return typeOf(schema, place).nullable();
  const keyword = inexpressible.find((one) => Object.hasOwn(schema, one));
  if (place.strict && keyword) refuse(place, `"${keyword}" cannot be expressed`);
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
      if (place.strict && !hasFields(schema)) refuse(place, 'an object must name its properties');
      if (place.strict && isOpen(schema.additionalProperties))
        refuse(place, '"additionalProperties" lets it have fields without names');
      if (place.strict || (hasFields(schema) && !isOpen(schema.additionalProperties))) return objectOf(schema, place);
      return open(objectOf(schema, place), schema.additionalProperties, place);
    default:
      if (!place.strict) return z.unknown();
      return refuse(place, 'has no type');
  }
}

/** An object without any field is one on purpose if it is closed. */
const hasFields = ({ properties, additionalProperties }: JsonSchema): boolean =>
  isJsonObject(properties) && (Object.keys(properties).length > 0 || additionalProperties === false);

function objectOf(schema: JsonSchema, place: Place): z.ZodObject {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const fields = Object.entries(properties).map(([name, given]) => {
    const at = inside(place, name);
    if (!/^(?!__proto__$)[\w.-]{1,64}$/.test(name)) refuse(at, 'rename it: use letters, digits, "_", "-" and "."');
    const { description, title, default: usual } = resolved(given, at);
    const type = typeOf(given, at);
    const words = firstWords(description, title) ?? name;
    if (isRequired(schema, name)) return [name, type.describe(words)];
    // The server has the default, so an absent field stays absent.
    return [name, type.optional().meta({ description: words, ...(usual !== undefined && { default: usual }) })];
  });
  return z.object(Object.fromEntries(fields));
}

/** Returns the first text that says something. */
export const firstWords = (...said: unknown[]): string | undefined =>
  said.find((one): one is string => typeof one === 'string' && one.trim() !== '');

/** Follows `$ref`, which may only point into the same schema. */
function resolved(given: unknown, place: Place): JsonSchema {
  if (!isJsonObject(given)) refuse(place, 'has no schema');
  if (place.path.length > deepest) refuse(place, 'is nested too deeply, or refers to itself');
  const { $ref: reference, ...rest } = given;
  if (reference === undefined) return merged(given, place);
  const [start, ...names] = String(reference).split('/');
  if (start !== '#') refuse(place, '"$ref" must point into the same schema');
  const keys = names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  const target = keys.reduce<unknown>((found, name) => (isJsonObject(found) ? found[name] : undefined), place.root);
  return merged({ ...resolved(target, inside(place, '$ref')), ...rest }, place);
}

/** Merges an `allOf` of one schema, which many generators write around a `$ref`. */
function merged(schema: JsonSchema, place: Place): JsonSchema {
  const { allOf, ...rest } = schema;
  if (!Array.isArray(allOf)) return schema;
  const [only, ...others] = allOf;
  if (others.length > 0) refuse(place, '"allOf" of several schemas cannot be expressed');
  return { ...resolved(only, inside(place, 'allOf')), ...rest };
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

const isRequired = ({ required }: JsonSchema, name: string): boolean =>
  Array.isArray(required) && required.includes(name);
const inside = ({ path, ...place }: Place, name: string): Place => ({ ...place, path: [...path, name] });

function refuse({ path }: Place, problem: string): never {
  throw new ConfigurationError(`inputSchema${path.map((name) => `.${name}`).join('')}: ${problem}`);
}
