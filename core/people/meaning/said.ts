// core/people/meaning: search by meaning.

import { filesOf } from '../../base/content/parts';
import { joined, type Source } from '../../base/content/sources';
import { Message } from '../../base/state/schemas';
import { type MessageIndex, type Near, type Scope, spaceOf } from '../../conversations/embeddings/message-index';
import { asItsAuthors } from '../../conversations/members/role';
import { key } from '../../conversations/rows/keys';
import type { Meta } from '../../conversations/rows/meta';
import { ifReadable } from '../../conversations/rows/readable';
import { StoredMessage } from '../../conversations/rows/rows';
import { readRow, readShownMeta, type Table } from '../../conversations/store/table';
import { embedAgain } from './embed-messages';
import { digestOfWords, saidWords } from './said-words';
import type { Reach } from './scope';

interface PlacesAsked {
  scope: Scope;
  /** What is sought, embedded by the model of the index. */
  vector: Float32Array;
  model: string;
  limit: number;
  /** Conversations of the owner. One that the index does not know is noted, and embedded within the hour. */
  recent?: readonly string[];
}

/** The number of conversations that one search notes to be embedded again. */
const mostNoted = 25;

/**
 * Finds the messages of a scope whose meaning is nearest to some words. What is outdated in the index is noted for Reconcile: a search is
 * how it repairs itself.
 */
export async function placesOf(
  { index, now }: { index: MessageIndex; now: () => Date },
  { scope, vector, model, limit, recent = [] }: PlacesAsked,
): Promise<{ places: Near[]; isWhole: boolean }> {
  const query = { vector, space: spaceOf(model, vector) };
  const { near: places, outdated, known, isWhole } = await index.nearest(query, scope, limit);
  const missing = isWhole ? recent.filter((id) => !known.has(id)) : [];
  const noted = [...outdated, ...missing].slice(0, mostNoted);
  await Promise.all(noted.map((conversationId) => embedAgain({ index, now }, { owner: scope.owner, conversationId })));
  return { places, isWhole };
}

/** A message that was found by meaning, as it is now. */
export interface Said {
  meta: Meta;
  message: Message;
  /** What models read of it. */
  words: string;
  /** The outside sources of the words. */
  sources: Source[];
  /** Whether the title has no words of others. */
  isTitleTrusted: boolean;
}

/**
 * Reads what is at some places, in their order. It decides again what may be seen, by the rows: what is deleted, out of reach, or no longer
 * says what was embedded is left out.
 *
 * @param asking the conversation that asks: its last message and what follows is left out, because that is the question.
 */
export async function readSaid(
  table: Table,
  { mayFind }: Reach,
  places: readonly Near[],
  { limit, asking }: { limit: number; asking?: string },
): Promise<Said[]> {
  const ids = [...new Set(places.map(({ conversationId }) => conversationId))];
  const metas = new Map(await Promise.all(ids.map(async (id) => [id, await readShownMeta(table, id)] as const)));
  const said = await Promise.all(
    places.map(async ({ conversationId, seq, digest }) => {
      const meta = metas.get(conversationId);
      if (!meta || !mayFind(meta)) return [];
      if (conversationId === asking && seq >= meta.lastUserSeq) return [];
      const row = await readRow(table, conversationId, key.message(seq));
      const message = ifReadable(StoredMessage, row);
      const words = message && saidWords(message);
      return words !== undefined && digestOfWords(words) === digest ? [saidIn(meta, message!, words)] : [];
    }),
  );
  return said.flat().slice(0, limit);
}

function saidIn(meta: Meta, row: StoredMessage, words: string): Said {
  const stored = asItsAuthors(meta, row);
  const { sources, hostedSources, recalledSources, trusted } = stored;
  // An agent's words have the sources of everything that it had read. A later step has read no less. A file's name may be a stranger's.
  const ofAgent = [hostedSources, recalledSources, meta.run?.sources];
  const brought = stored.role === 'assistant' ? ofAgent : filesOf(stored).map((file) => file.sources);
  return {
    meta,
    message: Message.parse(stored),
    words,
    sources: (!trusted && joined(sources, ...brought)) || [],
    // It may have a former owner's words.
    isTitleTrusted:
      meta.membersVersion === undefined && (meta.titledBy !== 'model' || (meta.run?.sources ?? []).length === 0),
  };
}
