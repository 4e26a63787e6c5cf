/**
 * Finds what providers refuse in the schemas of tools and answers, with their words: OpenAI's strict schemas
 * (https://developers.openai.com/api/docs/guides/structured-outputs), Claude's tools
 * (https://platform.claude.com/docs/en/agents-and-tools/tool-use), and Bedrock's Converse API.
 */

// biome-ignore lint/suspicious/noExplicitAny: a schema has any shape.
type Schema = any;

export interface SchemaFault {
  message: string;
  param: string | null;
  code: string | null;
}

/** A tool as all APIs describe it. `at` is where it stands in the request. */
export interface ToolSchema {
  name: string;
  strict?: boolean | null;
  schema: Schema;
  at: string;
}

const openaiFormats = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];
const openaiKeywords = [
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'anyOf',
  'enum',
  'const',
  '$ref',
  '$defs',
  'definitions',
  'description',
  'title',
  'pattern',
  'format',
  'multipleOf',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
];
const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** Returns OpenAI's refusal of a tool; undefined if it takes it. */
export function openaiToolFault({ name, strict, schema, at }: ToolSchema): SchemaFault | undefined {
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name))
    return {
      message: `Invalid '${at}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
      param: `${at}.name`,
      code: 'invalid_value',
    };
  const problem = openaiProblem(schema, strict === true);
  const message = `Invalid schema for function '${name}': ${problem}`;
  return problem ? { message, param: `${at}.parameters`, code: 'invalid_function_parameters' } : undefined;
}

/** Returns OpenAI's refusal of the format of an answer; undefined if it takes it. */
export function openaiFormatFault(
  { name, strict, schema }: Omit<ToolSchema, 'at'>,
  param: string,
): SchemaFault | undefined {
  const problem = openaiProblem(schema, strict === true);
  const message = `Invalid schema for response_format '${name}': ${problem}`;
  return problem ? { message, param, code: 'invalid_json_schema' } : undefined;
}

/** Returns what is wrong with a schema in OpenAI's words; undefined for nothing. */
export function openaiProblem(schema: Schema, strict: boolean): string | undefined {
  if (schema?.type !== 'object')
    return `schema must be a JSON Schema of 'type: "object"', got 'type: "${schema?.type ?? 'None'}"'.`;
  if (!strict) return looseProblem(schema, []);
  const definitions = Object.entries<Schema>(schema.$defs ?? {});
  return (
    strictProblem(schema, [], schema) ??
    firstOf(definitions, ([name, one]) => strictProblem(one, ['$defs', name], schema)) ??
    limitProblem(schema)
  );
}

type Path = readonly string[];
const shown = (path: Path): string =>
  `(${path.map((step) => (/^\d+$/.test(step) ? step : `'${step}'`)).join(', ')}${path.length === 1 ? ',' : ''})`;

function strictProblem(node: Schema, path: Path, root: Schema): string | undefined {
  const context = `In context=${shown(path)},`;
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return `${context} schema must be an object.`;
  if (node.$ref !== undefined) {
    const others = Object.keys(node).filter((keyword) => keyword !== '$ref');
    if (others.length > 0)
      return `context=${shown(path)}, $ref cannot have keywords {${others.map((one) => `'${one}'`).join(', ')}}.`;
    const target = String(node.$ref).split('/').slice(1);
    const isKnown = target.reduce((at: Schema, key: string) => at?.[key], root) !== undefined;
    return isKnown && String(node.$ref).startsWith('#')
      ? undefined
      : `${context} reference can only point to definitions defined at the top level of the schema.`;
  }
  const unknown = Object.keys(node).find((keyword) => !openaiKeywords.includes(keyword));
  if (unknown) return `${context} '${unknown}' is not permitted.`;
  if (path.length === 0 && node.anyOf) return `${context} 'anyOf' is not permitted.`;
  if (node.anyOf) {
    if (!Array.isArray(node.anyOf) || node.anyOf.length === 0) return `${context} 'anyOf' must be a non-empty array.`;
    return firstOf<Schema>(node.anyOf, (one, index) => strictProblem(one, [...path, 'anyOf', String(index)], root));
  }
  const named: Schema[] = [node.type].flat();
  if (node.type === undefined) return `${context} schema must have a 'type' key.`;
  const odd = named.find((type) => !types.includes(type));
  if (odd !== undefined) return `${context} '${odd}' is not valid under any of the given schemas.`;
  if (node.enum !== undefined && (!Array.isArray(node.enum) || node.enum.length === 0))
    return `${context} 'enum' must be a non-empty array.`;
  const misfit = node.enum?.find((one: unknown) => !named.some((type) => isOfType(one, type)));
  if (misfit !== undefined)
    return `${context} enum value ${JSON.stringify(misfit)} does not validate against ${JSON.stringify({ type: node.type })}.`;
  if (node.format !== undefined && !openaiFormats.includes(node.format))
    return `${context} '${node.format}' is not a valid format.`;
  if (named.includes('array')) {
    if (node.items === undefined) return `${context} array schema missing items.`;
    const inside = strictProblem(node.items, [...path, 'items'], root);
    if (inside) return inside;
  }
  if (!named.includes('object')) return undefined;
  const { properties, required, additionalProperties } = node;
  if (additionalProperties !== false)
    return `${context} 'additionalProperties' is required to be supplied and to be false.`;
  if (properties === undefined) return `${context} object schema missing properties.`;
  const names = Object.keys(properties);
  const missing = names.find((name) => !Array.isArray(required) || !required.includes(name));
  if (missing !== undefined)
    return `${context} 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
  const extra = required?.find((name: string) => !names.includes(name));
  if (extra !== undefined)
    return `${context} 'required' is required to be supplied and to be an array including every key in properties. Extra required key '${extra}' supplied.`;
  return firstOf(names, (name) => strictProblem(properties[name], [...path, 'properties', name], root));
}

/** Even a schema that is not enforced must say what its lists and objects are. */
function looseProblem(node: Schema, path: Path): string | undefined {
  if (typeof node !== 'object' || node === null) return undefined;
  const context = `In context=${shown(path)},`;
  if (node.type === 'array' && node.items === undefined && node.prefixItems === undefined)
    return `${context} array schema missing items.`;
  if (path.length === 0 && node.properties === undefined) return `${context} object schema missing properties.`;
  const parts: [string, Schema][] = [
    ...Object.entries(node.properties ?? {}).map(([name, one]): [string, Schema] => [`properties/${name}`, one]),
    ...['anyOf', 'oneOf', 'allOf'].flatMap((keyword) =>
      (node[keyword] ?? []).map((one: Schema, index: number): [string, Schema] => [`${keyword}/${index}`, one]),
    ),
    ...(node.items ? [['items', node.items] as [string, Schema]] : []),
  ];
  return firstOf(parts, ([at, one]) => looseProblem(one, [...path, ...at.split('/')]));
}

/** OpenAI's limits, of the whole schema. */
function limitProblem(root: Schema): string | undefined {
  let [properties, values, text, problem]: [number, number, number, string | undefined] = [0, 0, 0, undefined];
  const visit = (node: Schema, level: number): void => {
    if (typeof node !== 'object' || node === null) return;
    const inner = node.type === 'object' ? level + 1 : level;
    if (inner > 10) problem ??= `${inner} levels of nesting exceeds limit of 10.`;
    const names = [...Object.keys(node.properties ?? {}), ...Object.keys(node.$defs ?? {})];
    properties += Object.keys(node.properties ?? {}).length;
    values += node.enum?.length ?? 0;
    const length = (node.enum ?? []).map(String).join('').length;
    text += names.join('').length + length + (node.const === undefined ? 0 : String(node.const).length);
    if ((node.enum?.length ?? 0) > 250 && length > 15_000)
      problem ??= `enum with ${node.enum.length} values has total string length ${length}, exceeding limit of 15000.`;
    for (const one of [...Object.values<Schema>(node.properties ?? {}), node.items, ...(node.anyOf ?? [])])
      visit(one, inner);
    for (const one of Object.values<Schema>(node.$defs ?? {})) visit(one, 0);
  };
  visit(root, 0);
  if (problem) return problem;
  if (properties > 5_000) return `${properties} parameters exceeds limit of 5000.`;
  if (values > 1_000) return `Enum values: ${values} exceeds limit of 1000.`;
  return text > 120_000 ? `Total string length ${text} exceeds limit of 120000.` : undefined;
}

/** Returns Claude's refusal of a tool that is not strict; undefined if it takes it. `at` is its index. */
export function anthropicToolFault({ name, schema, at }: ToolSchema): string | undefined {
  const where = `tools.${at}.custom`;
  if (!/^[a-zA-Z0-9_-]{1,128}$/.test(name))
    return `${where}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
  if (schema?.type === undefined) return `${where}.input_schema.type: Field required`;
  if (schema.type !== 'object') return `${where}.input_schema.type: Input should be 'object'`;
  if (schema.oneOf || schema.allOf || schema.anyOf)
    return `${where}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`;
  if (!isDraft2020(schema))
    return `${where}.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). Learn more about tool use at https://docs.claude.com/en/docs/tool-use.`;
  return hasOddKey(schema)
    ? `${where}.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`
    : undefined;
}

/** Returns the refusal of Bedrock's Converse API, or of Claude behind it; undefined if it takes the tool. `at` is its index. */
export function bedrockToolFault(tool: ToolSchema & { description?: string }, model: string): string | undefined {
  const { name, schema, at, description } = tool;
  const where = `toolConfig.tools.${Number(at) + 1}.member.toolSpec`;
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name))
    return `1 validation error detected: Value '${name}' at '${where}.name' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+`;
  if (description === '')
    return `1 validation error detected: Value '' at '${where}.description' failed to satisfy constraint: Member must have length greater than or equal to 1`;
  if (schema?.type !== 'object')
    return `The value at toolConfig.tools.${at}.toolSpec.inputSchema.json.type must be one of the following: object.`;
  const fault = /anthropic|claude/.test(model) ? anthropicToolFault(tool) : undefined;
  return fault && `The model returned the following errors: ${fault}`;
}

function hasOddKey(node: Schema): boolean {
  if (typeof node !== 'object' || node === null) return false;
  const names = Object.keys(node.properties ?? {});
  return names.some((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name)) || schemasIn(node).some(hasOddKey);
}

/** The rules of the meta-schema for the keywords that schemas of tools have. */
function isDraft2020(node: Schema): boolean {
  if (typeof node === 'boolean') return true;
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return false;
  const isMap = (one: Schema) => one === undefined || (typeof one === 'object' && one !== null && !Array.isArray(one));
  const isList = (one: Schema) => one === undefined || (Array.isArray(one) && one.length > 0);
  const { type, required, enum: values, properties, $defs, anyOf, oneOf, allOf, prefixItems, items } = node;
  return (
    [type ?? []].flat().every((one) => types.includes(one)) &&
    (required === undefined ||
      (Array.isArray(required) &&
        required.every((one) => typeof one === 'string') &&
        new Set(required).size === required.length)) &&
    (values === undefined || Array.isArray(values)) &&
    [properties, $defs].every(isMap) &&
    [anyOf, oneOf, allOf, prefixItems].every(isList) &&
    !Array.isArray(items) &&
    [
      'minimum',
      'maximum',
      'exclusiveMinimum',
      'exclusiveMaximum',
      'minLength',
      'maxLength',
      'minItems',
      'maxItems',
    ].every((keyword) => node[keyword] === undefined || typeof node[keyword] === 'number') &&
    schemasIn(node).every(isDraft2020)
  );
}

const schemasIn = (node: Schema): Schema[] => [
  ...Object.values<Schema>(node.properties ?? {}),
  ...Object.values<Schema>(node.$defs ?? {}),
  ...['anyOf', 'oneOf', 'allOf', 'prefixItems'].flatMap((keyword) => node[keyword] ?? []),
  ...['items', 'additionalProperties', 'not'].flatMap((keyword) =>
    node[keyword] === undefined ? [] : [node[keyword]],
  ),
];

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'integer') return Number.isInteger(value);
  return type === 'array' ? Array.isArray(value) : typeof value === type && value !== null;
}

/** Returns the first result that there is. */
function firstOf<Item>(items: readonly Item[], find: (item: Item, index: number) => string | undefined) {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}
