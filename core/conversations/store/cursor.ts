import type * as z from 'zod';
import { InvalidInput } from '../../base/text/errors';

/** Returns an opaque cursor for a place, which is JSON. */
export const cursorOf = (place: unknown): string => Buffer.from(JSON.stringify(place)).toString('base64url');

/**
 * Returns the place that a cursor of `cursorOf` names.
 *
 * @param schema as strict as what was written: a cursor comes from outside, and DynamoDB rejects a wrong key with an error that looks
 *   internal.
 * @param of where the client has it from.
 * @throws InvalidInput
 */
export function placeOf<Place>(schema: z.ZodType<Place>, cursor: string, of: 'page' | 'answer' = 'page'): Place {
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw new InvalidInput('cursor', `use the cursor of the previous ${of}`);
  }
}
