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

/** A tool as the model's server takes it. Strict: the server holds the model to the schema. */
export function modelTool(tool: Pick<Tool, 'name' | 'description' | 'input'>) {
  const { $schema, ...parameters } = z.toJSONSchema(tool.input, {
    override: ({ jsonSchema }) => {
      for (const keyword of notEverywhere) delete jsonSchema[keyword];
    },
  });
  return {
    type: 'function' as const,
    function: { name: tool.name, description: tool.description, strict: true, parameters },
  };
}
