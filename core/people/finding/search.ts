import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { filesOf } from '../../base/content/parts';
import { ConversationSummary, Message } from '../../base/state/schemas';
import { InvalidInput } from '../../base/text/errors';
import { excerptOf, matches, wordsOf } from '../../base/text/folded';
import { type Person, userOf } from '../../conversations/members/role';
import { key } from '../../conversations/rows/keys';
import { lists } from '../../conversations/rows/owned';
import { onlyReadable } from '../../conversations/rows/readable';
import { cursorOf, placeOf } from '../../conversations/store/cursor';
import { readShownMeta, type Table } from '../../conversations/store/table';
import { listConversations, listShared } from '../views/list';
import { summaryFor } from '../views/shown';

/** What is shown of a message, besides its words. */
const shownFields = { seq: true, role: true, author: true, authorName: true, sources: true, createdAt: true } as const;
export const Hit = Message.pick(shownFields);

/** A message that has all words of the search, or whose meaning is near to it. */
export const Found = z.object({
  by: z.enum(['words', 'meaning']),
  conversation: ConversationSummary,
  ...Hit.shape,
  /** The text around the first hit, in parts. Breaks of lines are spaces. The names of files follow the words. */
  excerpt: z.array(z.object({ text: z.string(), hit: z.literal(true).optional() })),
});
export type Found = z.infer<typeof Found>;

/** The most that one request reads. */
interface Bounds {
  hits: number;
  /** Each read has up to 1 MB. Those of a page of conversations are made at once, so some more are possible. */
  reads: number;
  /** The number of conversations that are read at once. */
  atOnce: number;
}
const usual: Bounds = { hits: 20, reads: 60, atOnce: 10 };

const mostCharacters = 200;
const mostWords = 10;

/** The place where a search continues: in a page of the list, at a conversation, before one of its messages. */
const Place = z.object({
  /** Among what others share. */
  shared: z.literal(true).optional(),
  list: z.string().optional(),
  id: z.string().max(64).optional(),
  before: z.number().int().positive().optional(),
});
type Place = z.infer<typeof Place>;

/**
 * Finds messages of a person's conversations by their words, in the order of the lists: pinned, others, archived; in each the conversation
 * that changed last first, in that the newest message first. Then those of conversations that others share with them. It reads the messages themselves. So what is amended is found as it is now, what is deleted is not
 * found, and no index has to be written.
 *
 * @param cursor the opaque one of the previous page. A page may have few hits or none: go on while there is a cursor. A conversation
 *   that changes meanwhile moves to the top of the list, where the next search finds it.
 */
export async function searchMessages(
  table: Table,
  person: Person,
  text: string,
  cursor?: string,
  { hits: mostHits, reads: mostReads, atOnce }: Bounds = usual,
): Promise<{ found: Found[]; cursor?: string }> {
  checkSought(text);
  const words = wordsOf(text);
  const found: Found[] = [];
  let reads = 0;
  let { shared, list, id: at, before }: Place = cursor === undefined ? {} : placeOf(Place, cursor);
  for (;;) {
    const { conversations, cursor: nextList } = shared
      ? await listShared(table, person, list, atOnce)
      : await listConversations(table, userOf(person), list, { limit: atOnce, of: lists });
    const ids = conversations.map(({ id }) => id);
    const rest = ids.slice(Math.max(0, at === undefined ? 0 : ids.indexOf(at)));
    const first = await Promise.all(rest.map((id) => readHits(table, id, words, id === at ? before : undefined)));
    reads += rest.length;
    for (const [index, id] of rest.entries()) {
      let { hits, next } = first[index]!;
      for (;;) {
        const room = mostHits - found.length;
        found.push(...(await shownHits(table, person, id, hits.slice(0, room), words)));
        if (hits.length > room) next = hits[room - 1]!.seq;
        if (next === undefined) break;
        if (found.length >= mostHits || reads >= mostReads)
          return { found, cursor: cursorOf({ shared, list, id, before: next }) };
        ({ hits, next } = await readHits(table, id, words, next));
        reads += 1;
      }
      const following = rest[index + 1];
      if (following && found.length >= mostHits) return { found, cursor: cursorOf({ shared, list, id: following }) };
    }
    if (nextList === undefined && shared) return { found };
    if (nextList === undefined) shared = true;
    if (found.length >= mostHits || reads >= mostReads) return { found, cursor: cursorOf({ shared, list: nextList }) };
    [list, at, before] = [nextList, undefined, undefined];
  }
}

/** @throws InvalidInput for a text that is too short or too long to be sought. */
export function checkSought(text: string): void {
  const isOne = text.trim().length >= 2 && text.length <= mostCharacters && wordsOf(text).length <= mostWords;
  if (isOne) return;
  throw new InvalidInput('q', `use 2 to ${mostCharacters} characters and at most ${mostWords} words`);
}

const Said = Message.pick({ ...shownFields, text: true, covers: true }).extend({
  // Its words are found, even if something else cannot be read.
  sources: Message.shape.sources.catch(undefined),
  parts: Message.shape.parts.catch(undefined),
});
type Said = z.infer<typeof Said>;

/** Reads up to 1 MB of a conversation's messages, the newest first. `next`: there may be more before this seq. */
async function readHits(
  { client, name }: Table,
  conversationId: string,
  words: readonly string[],
  before: number | undefined,
): Promise<{ hits: Said[]; next?: number }> {
  const page = await client.send(
    new QueryCommand({
      TableName: name,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ProjectionExpression: 'seq, #role, author, authorName, sources, #text, parts, createdAt, covers',
      ExpressionAttributeNames: { '#role': 'role', '#text': 'text' },
      ExpressionAttributeValues: {
        ':pk': key.conversation(conversationId),
        ':from': key.message(0),
        ':to': before === undefined ? `${key.messages}~` : key.message(before - 1),
      },
      ScanIndexForward: false,
    }),
  );
  const rows = page.Items ?? [];
  const said = onlyReadable(Said, rows).map((one) => ({ ...one, text: foundIn(one) }));
  // A summary repeats what was said.
  const hits = said.filter(({ text, covers }) => covers === undefined && matches(text, words));
  return { hits, next: page.LastEvaluatedKey && Number(String(page.LastEvaluatedKey.sk).slice(key.messages.length)) };
}

/** Returns what is searched of a message: its words, and the names of its files. */
const foundIn = (message: Pick<Said, 'text' | 'parts'>): string =>
  [message.text, ...filesOf(message).map(({ filename }) => filename)].filter(Boolean).join('\n');

/** The index lags by moments, so the conversation is read: it may be deleted, or shared no more. */
async function shownHits(
  table: Table,
  person: Person,
  conversationId: string,
  hits: readonly Said[],
  words: readonly string[],
): Promise<Found[]> {
  const meta = hits.length > 0 ? await readShownMeta(table, conversationId) : undefined;
  const conversation = meta && summaryFor(meta, person);
  if (!conversation) return [];
  return hits.map(({ text, covers: _, parts: __, ...said }) => ({
    by: 'words',
    conversation,
    ...said,
    excerpt: excerptOf(text, words),
  }));
}
