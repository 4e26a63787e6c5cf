import type { Conversation } from './api-types';

/**
 * Reads a conversation with all its messages, page after page.
 *
 * @param read reads the page after a `seq`.
 */
export async function readWhole(read: (after: number) => Promise<Conversation>): Promise<Conversation> {
  let whole = await read(0);
  while (whole.more) {
    const next = await read(whole.messages.at(-1)?.seq ?? 0);
    whole = { ...next, more: next.more && next.messages.length > 0, messages: [...whole.messages, ...next.messages] };
  }
  return whole;
}
