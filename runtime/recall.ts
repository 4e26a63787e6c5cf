import { readMemories } from '../core/memory/memories';
import { type Embedder, nearest, type Recalled } from '../core/memory/memory';
import type { Table } from '../core/store/table';
import { log } from './log';
import { untrusted } from './untrusted';

/** Of a message, for the search: its beginning says what it is about. */
const searchedCharacters = 4_000;

/** A user's memories that are nearest to some words in meaning. Whose they are is for the caller to know from the token. */
export async function recall(
  table: Table,
  embedder: Embedder,
  { user, words, limit }: { user: string; words: string; limit: number },
): Promise<Recalled[]> {
  const memories = await readMemories(table, user);
  if (memories.length === 0) return [];
  const [vector] = await embedder.embed([words.slice(0, searchedCharacters)]);
  return nearest(memories, { vector: vector!, embeddingModel: embedder.model }, limit);
}

/** The same as a note for the model. That nothing can be recalled now does not hold up the conversation. */
export async function recalledNote(
  table: Table,
  embedder: Embedder,
  user: string,
  words: string,
): Promise<string | undefined> {
  try {
    const found = await recall(table, embedder, { user, words, limit: 5 });
    if (found.length === 0) return undefined;
    const lines = found.map(({ text, createdAt }) => `- ${text} (${createdAt.slice(0, 10)})`);
    // Remembered because somebody told it, and not always the user: a page that was read may have got there.
    return untrusted('What was remembered from other conversations and may matter here.', lines.join('\n'));
  } catch (error) {
    log.warn('nothing recalled', { error: (error as Error).name });
    return undefined;
  }
}
