import type * as z from 'zod';
import { modelSchema } from './model-schema';

/** A tool, as described to a model. */
interface Described {
  name: string;
  description: string;
  input: z.ZodObject;
  strict?: false;
}

const made = new WeakMap<Described, ReturnType<typeof describe>>();

/** Returns a tool's definition for models: `parameters` is what a model may send, which servers enforce if the tool is `strict`. Cached per tool. */
export function modelTool(tool: Described) {
  const known = made.get(tool) ?? describe(tool);
  made.set(tool, known);
  return known;
}

function describe({ name, description, input, strict: declared }: Described) {
  const strict = declared !== false;
  return { name, description, parameters: modelSchema(input, strict), strict };
}
