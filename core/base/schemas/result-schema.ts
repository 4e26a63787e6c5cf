import type * as z from 'zod';
import { Inexpressible, jsonSchemaOf, shownPath, unlikeJson } from './model-schema';

/** The types that a result keeps in another form than the schema's, so that `compensate` would get that. */
const neverJson = ['bigint', 'date', 'map', 'set', 'symbol', 'function', 'nan', 'file', 'promise', 'success'];

/** @throws Inexpressible for the first value that a schema may result in and JSON does not have. */
export function assertJson(schema: z.ZodType): void {
  const refuse = (type: string, path: readonly PropertyKey[], message: string): void => {
    if (neverJson.includes(type)) throw new Inexpressible(shownPath(path), unlikeJson(type, message));
  };
  jsonSchemaOf(schema, {
    io: 'output',
    unrepresentable({ zodSchema, path, message }) {
      refuse(zodSchema._zod.def.type, path, message);
      return {};
    },
    override({ zodSchema, path }) {
      const { type } = zodSchema._zod.def;
      refuse(type, path, `z.${type}() cannot be represented in JSON`);
    },
  });
}
