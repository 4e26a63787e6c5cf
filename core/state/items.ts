/**
 * A transcript in words of our own: what was said, asked for and answered, in the order in which the model reads it. Each
 * provider's adapter puts it into the words of its API.
 *
 * A call stands after the message of its reply, where that says anything, and before the results of all calls of the reply.
 */
export type Item =
  | { kind: 'message'; by: 'user' | 'assistant'; text: string; opaque?: unknown }
  | { kind: 'call'; id: string; tool: string /** JSON of an object. */; arguments: string; opaque?: unknown }
  | { kind: 'result'; callId: string; text: string };

/**
 * What a provider sends with a message or a call and wants back with it, such as encrypted reasoning: nobody else can read
 * it. It goes back to its maker only.
 */
export interface Opaque {
  /** Provider, API and model, as `Model.about` names them. */
  maker: string;
  data: unknown;
}

/** A transcript that its maker can read without what it has thought. */
export const withoutOpaque = (items: readonly Item[]): Item[] =>
  items.map((item) => {
    if (item.kind === 'result') return item;
    const { opaque: _, ...rest } = item;
    return rest;
  });

export const hasOpaque = (items: readonly Item[]): boolean =>
  items.some((item) => item.kind !== 'result' && item.opaque !== undefined);
