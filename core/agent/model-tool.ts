import * as z from 'zod';
import type { Tool } from './tool';

/** Keywords that some servers reject in strict schemas. The tool's own schema still checks them, and the model reads the problem. */
const notEverywhere = [
  ...['minLength', 'maxLength', 'pattern', 'minItems', 'maxItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
] as const;

type Described = Pick<Tool, 'name' | 'description' | 'input'>;
const made = new WeakMap<Described, ReturnType<typeof describe>>();

/** Returns a tool's definition for models, with a schema that servers can enforce. Cached per tool. */
export function modelTool(tool: Described) {
  const known = made.get(tool) ?? describe(tool);
  made.set(tool, known);
  return known;
}

function describe(tool: Described) {
  return { name: tool.name, description: tool.description, parameters: schemaOf(tool.input) };
}

/** Returns the first optional field. Servers that enforce a schema need every field to be required. */
export const optionalField = ({ shape }: z.ZodObject): string | undefined =>
  Object.keys(shape).find((field) => (shape[field] as z.ZodType).safeParse(undefined).success);
export const nullableInstead = 'use .nullable() instead of .optional() or .default()';

/** Returns the JSON schema for servers that enforce it. */
export function schemaOf(schema: z.ZodObject): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      for (const keyword of notEverywhere) delete jsonSchema[keyword];
    },
  });
  return rest;
}
