import * as z from 'zod';
import type { Tool } from './tool';

/**
 * What servers differ in taking in strict schemas, or refuse outright. The tool's own schema still checks it, and the
 * model reads what was wrong.
 */
const notEverywhere = [
  ...['minLength', 'maxLength', 'pattern', 'minItems', 'maxItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
] as const;

type Described = Pick<Tool, 'name' | 'description' | 'input'>;
const made = new WeakMap<Described, ReturnType<typeof describe>>();

/** A tool as models are told of it, with a schema that their servers can hold them to. Made once for each tool. */
export function modelTool(tool: Described) {
  const known = made.get(tool) ?? describe(tool);
  made.set(tool, known);
  return known;
}

function describe(tool: Described) {
  return { name: tool.name, description: tool.description, parameters: schemaOf(tool.input) };
}

/** The first field that may be left out: servers that hold a model to a schema want every field required. */
export const optionalField = ({ shape }: z.ZodObject): string | undefined =>
  Object.keys(shape).find((field) => (shape[field] as z.ZodType).safeParse(undefined).success);
export const nullableInstead = 'use .nullable() instead of .optional() or .default()';

/** A schema as servers take it that hold a model to it. */
export function schemaOf(schema: z.ZodObject): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      for (const keyword of notEverywhere) delete jsonSchema[keyword];
    },
  });
  return rest;
}
