import * as z from 'zod';

/**
 * The origin of words that are neither the user's nor the deployment's own:
 * - `web`: pages and search results.
 * - `person`: another user, a customer, whoever writes a payment's purpose.
 * - `system`: an outside system, which delivers to a webhook or answers a tool.
 * - `unknown`: stored before sources were.
 *
 * An agent's words have the sources of everything that it had read.
 */
export const Source = z.enum(['web', 'person', 'system', 'unknown']);
export type Source = z.infer<typeof Source>;

/** Returns each source once; undefined for none, so that rows without any have no such field. */
export function joined(...lists: (readonly Source[] | undefined)[]): Source[] | undefined {
  const all = [...new Set(lists.flatMap((list) => list ?? []))].sort();
  return all.length > 0 ? all : undefined;
}
