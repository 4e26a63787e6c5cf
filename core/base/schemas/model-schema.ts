import * as z from 'zod';
import { isWellFormed } from '../text/clip';
import { ConfigurationError } from '../text/errors';
import { isOptional } from './parse-input';
import { mistakeIn } from './schema-mistakes';
import { limitWords } from './schema-words';

// biome-ignore lint/suspicious/noExplicitAny: a schema has any shape.
export type JsonSchema = Record<string, any>;

/** A schema that cannot be told to a model. The message begins with the path of the field: `.filter.tags[]: …`. */
export class Inexpressible extends ConfigurationError {
  constructor(
    readonly path: string,
    readonly problem: string,
  ) {
    super(path ? `${path.replace(/^\./, '')}: ${problem}` : problem);
  }
}

/** OpenAI's limits of a strict schema: https://developers.openai.com/api/docs/guides/structured-outputs */
const limits = { properties: 5_000, levels: 10, enumValues: 1_000, longEnum: 250, longEnumText: 15_000, text: 120_000 };

/** The formats that all providers document. Others become words. */
const knownFormats = ['date-time', 'date', 'time'];

/** Anthropic's rule for the names of properties, which is the narrowest. */
const propertyName = /^[\w.-]{1,64}$/;

const instead: Readonly<Record<string, string>> = {
  bigint: 'use z.int(), or a text with the digits',
  date: 'use a text, such as z.iso.datetime()',
  map: 'use a list of objects with the fields "key" and "value"',
  set: 'use a list',
  transform: 'name what comes in first: z.string().transform(…)',
  custom: 'use a schema of JSON, with .refine() for the rest',
  undefined: 'use .optional() on the field',
  void: 'use .optional() on the field',
  file: 'use a text',
  promise: 'use the schema inside of it',
  success: 'use the schema inside of it',
};

/**
 * Returns the JSON schema of what a model may send, so that providers can enforce it: of the *input* of a zod schema. In a strict
 * schema every field is required; an optional one is null instead, and `parseInput` leaves the null out again. What JSON schema,
 * or some provider, cannot express becomes words of the description.
 *
 * @param strict false for a schema that providers only show to the model: fields may then be absent or unknown.
 * @throws Inexpressible for the first field that a model cannot be told of.
 */
export function modelSchema(schema: z.ZodObject, strict = true): JsonSchema {
  const found: { at: string; problem: string }[] = [];
  const { $schema, ...json } = jsonSchemaOf(schema, {
    io: 'input',
    unrepresentable({ zodSchema, path, message }) {
      found.push({ at: shownPath(path), problem: unlikeJson(zodSchema._zod.def.type, message) });
      return {};
    },
    override({ zodSchema, jsonSchema, path }) {
      const { def } = (zodSchema as z.core.$ZodTypes)._zod;
      const { type } = def;
      const wrong = mistakeIn(def);
      if (wrong) found.push({ at: shownPath(path), problem: wrong });
      if (def.type === 'object')
        jsonSchema.required = Object.keys(def.shape).filter((name) => !isOptional(def.shape[name]!));
      if (type === 'file' || type === 'promise' || type === 'success')
        found.push({ at: shownPath(path), problem: `z.${type}() cannot be sent by a model: ${instead[type]}` });
      const texts = def.type === 'pipe' && textsOfBoolean(zodSchema as unknown as z.ZodType, def);
      if (texts) Object.assign(jsonSchema, { type: 'string', enum: texts });
    },
  });
  const [first] = found;
  if (first) throw new Inexpressible(first.at, first.problem);
  const { $defs = {}, ...root } = json;
  const referring = new Map<string, string>();
  const told = convert(root, { path: '', level: 1, strict, referring });
  const definitions: JsonSchema = {};
  // A definition may refer to further ones.
  for (const [reference, path] of referring) {
    const name = reference.slice('#/$defs/'.length);
    if ($defs[decoded(name)]?.$ref) throw new Inexpressible(path, 'it has nothing but itself');
    if (name) definitions[decoded(name)] = convert($defs[decoded(name)], { path, level: 1, strict, referring });
  }
  if (Object.keys(definitions).length > 0) told.$defs = definitions;
  if (strict) assertWithinLimits(told);
  return told;
}

/** A getter of the author may throw: that of z.lazy(), or of a default. */
export function jsonSchemaOf(schema: z.ZodType, settings: Parameters<typeof z.toJSONSchema>[1]): JsonSchema {
  try {
    return z.toJSONSchema(schema, settings) as JsonSchema;
  } catch (thrown) {
    if (thrown instanceof Inexpressible) throw thrown;
    throw new Inexpressible('', `its schema cannot be read: ${String((thrown as Error)?.message).split('\n')[0]}`);
  }
}

export const unlikeJson = (type: string, message: string): string =>
  `${message}: ${instead[type] ?? 'use a schema of JSON'}`;

/** Returns the texts for true and false of z.stringbool(), or another codec of texts and booleans. It may read others, too. */
function textsOfBoolean(schema: z.ZodType, def: z.core.$ZodPipeDef): string[] | undefined {
  const { reverseTransform: write } = def as Partial<z.core.$ZodCodecDef>;
  const [from, to] = [def.in, def.out].map((one) => (one as z.core.$ZodTypes)._zod.def.type);
  if (!write || from !== 'string' || to !== 'boolean') return undefined;
  const texts = [true, false].map((value) => z.safeEncode(schema, value).data as string);
  return texts.every((text, index) => schema.safeParse(text).data === (index === 0)) ? texts : undefined;
}

interface Place {
  path: string;
  /** The number of objects around, this one included. */
  level: number;
  strict: boolean;
  /** The definitions that are referred to, each with the path of the first field that does. */
  referring: Map<string, string>;
}

const decoded = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~');

function convert(given: JsonSchema, place: Place): JsonSchema {
  const node = merged(given);
  const texts = [node.title, node.description, node.const, ...(node.enum ?? [])];
  if (!texts.every((one) => typeof one !== 'string' || isWellFormed(one)))
    throw new Inexpressible(place.path, 'a text in it has NUL or half a character');
  const words = { ...(node.title && { title: node.title }), ...described(node.description, limitWords(node)) };
  // Next to a reference, OpenAI accepts no other keyword.
  if (node.$ref && !place.referring.has(node.$ref)) place.referring.set(node.$ref, place.path);
  if (node.$ref)
    return Object.keys(words).length > 0 ? { anyOf: [{ $ref: node.$ref }], ...words } : { $ref: node.$ref };
  if (node.not) throw new Inexpressible(place.path, 'nothing fits it: leave it out');
  if (node.allOf) return { ...intersection(node, place), ...words };
  if ('const' in node || node.enum) return { ...literals('const' in node ? [node.const] : node.enum, place), ...words };
  const options: JsonSchema[] | undefined = node.anyOf ?? node.oneOf;
  if (options) {
    const converted = options.map((one, index) => convert(one, { ...place, path: `${place.path}|${index + 1}` }));
    return { ...(converted.length === 1 ? converted[0] : { anyOf: converted }), ...words };
  }
  if (node.type === 'object') return { ...object(node, place), ...words };
  if (node.type === 'array') return { ...array(node, place), ...words };
  if (node.type === undefined) {
    if (!place.strict) return words;
    throw new Inexpressible(place.path, `it may be anything: name a type, ${orNotStrict}`);
  }
  return { type: node.type, ...(knownFormats.includes(node.format) && { format: node.format }), ...words };
}

const orNotStrict = 'or declare the tool with `strict: false`';

/** Merges an `allOf` of one schema, and those of one keyword (several patterns, several divisors), whose words suffice. */
function merged(node: JsonSchema): JsonSchema {
  if (!Array.isArray(node.allOf)) return node;
  const { allOf, ...rest } = node;
  const further = allOf.filter((one: JsonSchema) => !('pattern' in one || 'multipleOf' in one) || 'type' in one);
  if (further.length > 1 || (further.length === 1 && (rest.type ?? further[0].type) !== further[0].type)) return node;
  return merged({ ...further[0], ...rest, also: allOf.filter((one: JsonSchema) => !further.includes(one)) });
}

function intersection(node: JsonSchema, place: Place): JsonSchema {
  if (place.strict)
    throw new Inexpressible(place.path, `an intersection cannot be told to a model: use one schema, ${orNotStrict}`);
  return { allOf: node.allOf.map((one: JsonSchema) => convert(one, place)) };
}

/** Returns values as one enumeration for each type, because a strict schema needs a type. */
function literals(values: unknown[], { path }: Place): JsonSchema {
  const byType = new Map<string, unknown[]>();
  for (const value of values) {
    const type = value === null ? 'null' : typeof value;
    if (!['null', 'string', 'number', 'boolean'].includes(type))
      throw new Inexpressible(path, 'a fixed value must be a text, a number, true, false or null');
    byType.set(type, [...(byType.get(type) ?? []), value]);
  }
  const options = [...byType].map(([type, own]) => (type === 'null' ? { type } : { type, enum: own }));
  return options.length === 1 ? options[0]! : { anyOf: options };
}

function array(node: JsonSchema, place: Place): JsonSchema {
  if (node.prefixItems) {
    if (place.strict)
      throw new Inexpressible(place.path, `a tuple cannot be told to a model: use an object, ${orNotStrict}`);
    const { prefixItems, minItems, maxItems } = node;
    const converted = prefixItems.map((one: JsonSchema) => convert(one, place));
    const items = node.items && convert(node.items, place);
    return { type: 'array', prefixItems: converted, ...(items && { items }), minItems, maxItems };
  }
  return { type: 'array', items: convert(node.items ?? {}, { ...place, path: `${place.path}[]` }) };
}

function object(node: JsonSchema, place: Place): JsonSchema {
  const { path, level, strict } = place;
  if (strict && level > limits.levels)
    throw new Inexpressible(path, `objects may be nested in at most ${limits.levels} levels`);
  const properties: JsonSchema = { ...node.properties, ...fieldsOfRecord(node) };
  const isRecord = Object.keys(properties).length > Object.keys(node.properties ?? {}).length;
  const open = isRecord ? undefined : openness(node);
  if (strict && open !== undefined && open !== false)
    throw new Inexpressible(path, `${openWords(node)}, ${orNotStrict}`);
  const required: string[] = node.required ?? [];
  const told = Object.entries(properties).map(([name, one]) => {
    const at = `${path}.${name}`;
    if (!propertyName.test(name) || name === '__proto__')
      throw new Inexpressible(at, 'rename it: use at most 64 letters, digits, "_", "-" and "."');
    const field = convert(one, { ...place, path: at, level: level + 1 });
    return [name, required.includes(name) || !strict ? field : orNull(field, one)] as const;
  });
  return {
    type: 'object',
    properties: Object.fromEntries(told),
    required: strict ? Object.keys(properties) : required,
    additionalProperties: typeof open === 'object' ? convert(open, { ...place, path: `${path}{}` }) : (open ?? false),
  };
}

/** A record whose keys are listed is an object with these fields. */
function fieldsOfRecord({ propertyNames, additionalProperties }: JsonSchema): JsonSchema {
  const names: unknown[] | undefined =
    propertyNames?.enum ?? (propertyNames && 'const' in propertyNames ? [propertyNames.const] : undefined);
  return names ? Object.fromEntries(names.map((name) => [String(name), additionalProperties])) : {};
}

/** Returns what further fields may be: nothing (undefined, false), anything (true), or a schema. */
function openness({ additionalProperties: further, patternProperties: byPattern }: JsonSchema) {
  if (byPattern) return true;
  return typeof further === 'object' && Object.keys(further).length === 0 ? true : further;
}

const openWords = ({ properties = {} }: JsonSchema): string =>
  Object.keys(properties).length > 0
    ? 'a model cannot send fields that are not named: use z.object() without a catchall'
    : 'a record has no named fields: use a list of objects with the fields "key" and "value"';

/** Returns the schema of an optional field. */
function orNull(field: JsonSchema, { default: usual }: JsonSchema): JsonSchema {
  const { description, title, ...rest } = field;
  const standard = usual === undefined ? 'Null to leave it out' : `Null for the default, ${JSON.stringify(usual)}`;
  const words = { ...(title && { title }), ...described(description, [], `${standard}.`) };
  if (takesNull(rest)) return { ...rest, ...words };
  if (rest.anyOf) return { anyOf: [...rest.anyOf, { type: 'null' }], ...words };
  const isPlain = rest.type && !rest.enum && rest.type !== 'object' && rest.type !== 'array';
  return isPlain
    ? { ...rest, type: [rest.type, 'null'].flat(), ...words }
    : { anyOf: [rest, { type: 'null' }], ...words };
}

const takesNull = ({ type, anyOf }: JsonSchema): boolean =>
  [type].flat().includes('null') || Boolean(anyOf?.some(takesNull));

/** Returns a description with the limits that the schema does not have. */
function described(description: string | undefined, limitsInWords: string[], note?: string): { description?: string } {
  const [text, added] = [description?.trim() ?? '', limitsInWords.join(', ')];
  const whole = text && added ? `${text} (${added})` : text || added;
  if (!note) return whole ? { description: whole } : {};
  return { description: whole ? `${whole}${/[.!?]$/.test(whole) ? '' : '.'} ${note}` : note };
}

function assertWithinLimits(root: JsonSchema): void {
  const count = { properties: 0, enumValues: 0, text: 0 };
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { properties = {}, $defs = {}, items, anyOf = [], enum: values = [] } = node as JsonSchema;
    const names = [...Object.keys(properties), ...Object.keys($defs)];
    count.properties += Object.keys(properties).length;
    count.enumValues += values.length;
    const texts = values.map(String).join('').length;
    count.text += names.join('').length + texts;
    if (values.length > limits.longEnum && texts > limits.longEnumText)
      throw new Inexpressible(
        '',
        `a list of ${values.length} values may have at most ${limits.longEnumText} characters`,
      );
    for (const inner of [...Object.values(properties), ...Object.values($defs), items, ...anyOf]) visit(inner);
  };
  visit(root);
  for (const [what, words] of [
    ['properties', 'fields'],
    ['enumValues', 'fixed values'],
    ['text', 'characters in names and fixed values'],
  ] as const)
    if (count[what] > limits[what])
      throw new Inexpressible('', `it has ${count[what]} ${words}, and providers allow ${limits[what]}`);
}

/** `properties`, `items` and the like of a path in a JSON schema, as an author knows them. */
export function shownPath(path: readonly PropertyKey[]): string {
  let shown = '';
  for (let index = 0; index < path.length; index++) {
    const step = path[index];
    if (step === 'items') shown += '[]';
    else if (step === 'additionalProperties') shown += '{}';
    else if (step === 'properties') shown += `.${String(path[++index])}`;
    else if (step === 'anyOf' || step === 'oneOf') shown += `|${Number(path[++index]) + 1}`;
    else if (step === 'prefixItems') shown += `[${String(path[++index])}]`;
    else if (step === 'allOf') index++;
  }
  return shown;
}
