import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import type { Source } from '../../base/content/sources';
import { plainJson } from '../../base/json/plain-json';
import { parseInput, withoutNulls } from '../../base/schemas/parse-input';
import type { StoredCall } from '../rows/rows';

/**
 * Returns the arguments as a tool gets them, which is what a person decides about: after the schema's transformations, without
 * unknown fields. What a transformation makes into something that its schema does not read again stays as the model wrote it, so that
 * a person can see and edit it. Undefined if they do not fit.
 */
export function canonical(input: z.ZodObject, args: unknown): Record<string, unknown> | undefined {
  const parsed = parseInput(input, args);
  if (!parsed.success) return undefined;
  const got = plainJson(parsed.data, 'arguments').value as Record<string, unknown>;
  const again = input.safeParse(got);
  if (again.success && isDeepStrictEqual(again.data, parsed.data)) return got;
  return withoutNulls(input, args, [], [], 'dropped') as Record<string, unknown>;
}

/** Whether a person has approved the call. Rows from before digests name the callback only. */
export const isApproved = ({ approved, callbackId, id }: StoredCall): boolean =>
  approved !== undefined || callbackId === id;

/** Returns the source of what an approver wrote: an approver who is not the owner is another person. */
export const sourcesOfApprover = (by: string, owner: string): Source[] | undefined =>
  by === owner ? undefined : ['person'];

/** Returns the source of the arguments, if somebody else than the owner has changed them. */
export const sourcesOfEdit = ({ edited, after }: Pick<StoredCall, 'edited' | 'after'>): Source[] | undefined =>
  edited ? after : undefined;

/** Returns a digest of canonical arguments. The order of fields does not count. */
export const digestOf = (args: Record<string, unknown>): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(args)))
    .digest('base64url');

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return fields.map(([name, field]) => [name, sorted(field)]);
}
