import * as z from 'zod';

/**
 * The origin of words that are neither the user's nor the deployment's own:
 * - `web`: pages and search results.
 * - `member`: a person who writes in the conversation, and is not its owner.
 * - `person`: another user, a customer, whoever writes a payment's purpose.
 * - `system`: an outside system, which delivers to a webhook or answers a tool.
 * - `file`: a file that the user has uploaded. They have chosen it, and need not have written it.
 * - `unknown`: stored before sources were.
 *
 * An agent's words have the sources of everything that it had read.
 */
export const Source = z.enum(['web', 'member', 'person', 'system', 'file', 'unknown']);
export type Source = z.infer<typeof Source>;

/** Returns each source once; undefined for none, so that rows without any have no such field. */
export function joined(...lists: (readonly Source[] | undefined)[]): Source[] | undefined {
  const all = [...new Set(lists.flatMap((list) => list ?? []))].sort();
  return all.length > 0 ? all : undefined;
}

/** The tools that providers of models run themselves. */
const hostedTools = ['web_search', 'web_fetch', 'file_search', 'code_interpreter', 'image_generation'] as const;
export const HostedName = z.enum(hostedTools);
export type HostedName = z.infer<typeof HostedName>;

/** A page or a file that a hosted tool has found, or that a text cites. */
export const Reference = z.object({
  title: z.string(),
  /** An http or https address. Absent for a file of the provider. */
  url: z.string().optional(),
});
export type Reference = z.infer<typeof Reference>;

/** A call of a hosted tool, as people read it. */
export const HostedUse = z.object({
  tool: HostedName,
  /** The query, the address, or the code. Empty if the provider does not tell it. */
  input: z.string(),
  /** `incomplete`: the provider has not finished it in this reply. */
  status: z.enum(['completed', 'failed', 'incomplete']),
  sources: z.array(Reference),
});
export type HostedUse = z.infer<typeof HostedUse>;
