import { readMemories } from '../core/memory/memories';
import { type Embedder, nearest, type Recalled } from '../core/memory/memory';
import type { Table } from '../core/store/table';
import { log } from './log';
import { untrusted } from './untrusted';

/** The search uses the beginning of a message. */
const searchedCharacters = 4_000;

/** Returns a user's memories that are nearest to a text. The caller takes the user from the token. */
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

/** Returns the nearest memories as a note for the model. A failure is logged and does not stop the run. */
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
    // Marked as untrusted, because a memory may come from a web page instead of the user.
    return untrusted('Memories from other conversations that may be relevant here.', lines.join('\n'));
  } catch (error) {
    log.warn('nothing recalled', { error: (error as Error).name });
    return undefined;
  }
}
