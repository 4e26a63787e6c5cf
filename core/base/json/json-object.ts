// core/base/json: JSON from outside, and values that code has returned as JSON.

import * as z from 'zod';

/** Whether a value is an object as JSON has them: no list, and not null. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object with fields of any names. A `z.record` would lose an own field with the name `__proto__`. */
export const JsonObject = z.custom<Record<string, unknown>>(isJsonObject, 'use an object');
