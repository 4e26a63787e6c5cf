import type { SaidChange } from '../../core/people/meaning/said-by';
import { log } from '../../runtime/log';
import type { embedLater } from '../ask-embed';

/** What was said, and the sequence number of its change in the stream. */
export interface NewlySaid extends SaidChange {
  sequenceNumber: string;
}

/** Errors that a retry cannot fix. Retrying would block all later changes, pages included. */
const forGood = new Set(['AccessDeniedException', 'ResourceNotFoundException', 'InvalidParameterValueException']);

/**
 * Has what was said in a batch of changes embedded, in one request.
 *
 * @returns the sequence numbers of what has not begun, which the stream must deliver again.
 */
export async function beginEmbedding(
  embed: NonNullable<ReturnType<typeof embedLater>>,
  said: readonly NewlySaid[],
): Promise<string[]> {
  if (said.length === 0) return [];
  const seqs = new Map<string, Set<number>>();
  for (const { conversationId, seq } of said) {
    const known = seqs.get(conversationId) ?? new Set();
    seqs.set(conversationId, seq === undefined ? known : known.add(seq));
  }
  try {
    await embed([...seqs].map(([id, some]) => ({ id, seqs: [...some] })));
    return [];
  } catch (error) {
    const { name } = error as Error;
    log.error('messages were not embedded', { messages: said.length, error: name });
    return forGood.has(name) ? [] : said.map(({ sequenceNumber }) => sequenceNumber);
  }
}
