import { createHash } from 'node:crypto';
import { namesOfFiles } from '../../base/content/parts';
import { clip } from '../../base/text/clip';
import { isWithheld, messageAsHeard } from '../../conversations/guards/heard';
import type { StoredMessage } from '../../conversations/rows/rows';

/** The beginning of a longer message is embedded. Its other words are found as words. */
const charactersEmbedded = 4_000;

/**
 * Returns the words by which a message is found by meaning: those that models read, and the names of its files. Undefined if it has none: a
 * summary, a reply that is being written, a message that no model has read yet, what a guard has withheld, and messages that nobody wrote.
 */
export function saidWords(message: StoredMessage): string | undefined {
  const { role, status, covers, guards } = message;
  // Guards see a user's message when it is read. Before, nothing of it leaves the table.
  const isSaid = said.includes(status) && (role === 'assistant' || (role === 'user' && !isWithheld(guards, 'input')));
  if (!isSaid || covers !== undefined) return undefined;
  const heard = messageAsHeard(message);
  const words = [heard.text.trim(), namesOfFiles(heard)].filter((part) => part !== '').join('\n');
  return clip(words, { characters: charactersEmbedded }) || undefined;
}

/** A reply that was stopped has the words that its user has seen. */
const said: string[] = ['complete', 'cancelled'] satisfies StoredMessage['status'][];

/** Returns a digest of words, by which a vector is known to be theirs. */
export const digestOfWords = (words: string): string => createHash('sha256').update(words).digest('base64url');
