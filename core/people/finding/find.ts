// core/people/finding: titles, pins, the archive and search.

import { excerptOf } from '../../base/text/folded';
import type { Near, Scope } from '../../conversations/embeddings/message-index';
import { type Person, userOf } from '../../conversations/members/role';
import { lists } from '../../conversations/rows/owned';
import type { Table } from '../../conversations/store/table';
import { readSaid } from '../meaning/said';
import { reachOf } from '../meaning/scope';
import { listConversations } from '../views/list';
import { summaryFor } from '../views/shown';
import { checkSought, type Found, Hit, searchMessages } from './search';

/** What is sought by meaning. */
export interface WordsAsked {
  scope: Scope;
  words: string;
  limit: number;
  /** Conversations that are embedded within the hour, if they are not yet. */
  recent: string[];
}

export interface Finder {
  table: Table;
  /** Finds places by meaning. Undefined if the deployment embeds no messages. */
  placesOf?: (asked: WordsAsked, signal: AbortSignal) => Promise<Near[]>;
  /** Is told why nothing was found by meaning. */
  failed: (error: Error) => void;
}

const mostByMeaning = 10;
/** Some places may have changed since they were embedded. */
const mostPlaces = 20;
const recentConversations = 25;
/** What is found by words does not wait longer for what is found by meaning. */
const patienceMs = 5_000;

/**
 * Finds messages by their words, and on the first page by their meaning, too. If the latter fails, the former are the answer.
 *
 * @throws InvalidInput for a text or a cursor that is none.
 */
export async function findMessages(
  { table, placesOf, failed }: Finder,
  person: Person,
  text: string,
  cursor?: string,
): Promise<{ found: Found[]; cursor?: string }> {
  checkSought(text);
  const isFirst = cursor === undefined;
  const byMeaning =
    isFirst && placesOf
      ? foundByMeaning(table, placesOf, person, text).catch((error: Error) => {
          failed(error);
          return [];
        })
      : [];
  const [byWords, near] = await Promise.all([searchMessages(table, person, text, cursor), byMeaning]);
  const known = new Set(byWords.found.map(placeOf));
  return { ...byWords, found: [...byWords.found, ...near.filter((one) => !known.has(placeOf(one)))] };
}

const placeOf = ({ conversation, seq }: Found): string => `${conversation.id} ${seq}`;

async function foundByMeaning(
  table: Table,
  placesOf: NonNullable<Finder['placesOf']>,
  person: Person,
  text: string,
): Promise<Found[]> {
  const [reach, { conversations }] = await Promise.all([
    reachOf(table, person),
    listConversations(table, userOf(person), undefined, { limit: recentConversations, of: lists }),
  ]);
  const recent = conversations.map(({ id }) => id);
  const asked = { scope: reach.scope, words: text, limit: mostPlaces, recent };
  const places = await placesOf(asked, AbortSignal.timeout(patienceMs));
  const said = await readSaid(table, reach, places, { limit: mostByMeaning });
  return said.map(({ meta, message, words }) => ({
    by: 'meaning',
    conversation: summaryFor(meta, person)!,
    ...Hit.parse(message),
    excerpt: excerptOf(message.text || words, []),
  }));
}
