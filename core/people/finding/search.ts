import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { filesOf } from '../../base/content/parts';
import { ConversationSummary, Message } from '../../base/state/schemas';
import { InvalidInput } from '../../base/text/errors';
import { excerptOf, matches, wordsOf } from '../../base/text/folded';
import { key } from '../../conversations/rows/keys';
import { lists } from '../../conversations/rows/owned';
import { onlyReadable } from '../../conversations/rows/readable';
import { cursorOf, placeOf } from '../../conversations/store/cursor';
import { readShownMeta, type Table } from '../../conversations/store/table';
import { listConversations } from '../views/list';
import { shownSummary } from '../views/shown';

/** A message that has all words of the search. */
export const Found = z.object({
  conversation: ConversationSummary,
  ...Message.pick({ seq: true, role: true, author: true, createdAt: true }).shape,
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
  list: z.string().optional(),
  id: z.string().max(64).optional(),
  before: z.number().int().positive().optional(),
});
type Place = z.infer<typeof Place>;

/**
 * Finds messages of a user's conversations by their words, in the order of the lists: pinned, others, archived; in each the conversation
 * that changed last first, in that the newest message first. It reads the messages themselves. So what is amended is found as it is now, what is deleted is not
 * found, and no index has to be written.
 *
 * @param cursor the opaque one of the previous page. A page may have few hits or none: go on while there is a cursor. A conversation
 *   that changes meanwhile moves to the top of the list, where the next search finds it.
 */
export async function searchMessages(
  table: Table,
  user: string,
  text: string,
  cursor?: string,
  { hits: mostHits, reads: mostReads, atOnce }: Bounds = usual,
): Promise<{ found: Found[]; cursor?: string }> {
  const words = wordsIn(text);
  const found: Found[] = [];
  let reads = 0;
  let { list, id: at, before }: Place = cursor === undefined ? {} : placeOf(Place, cursor);
  for (;;) {
    const { conversations, cursor: nextList } = await listConversations(table, user, list, {
      limit: atOnce,
      of: lists,
    });
    const ids = conversations.map(({ id }) => id);
    const rest = ids.slice(Math.max(0, at === undefined ? 0 : ids.indexOf(at)));
    const first = await Promise.all(rest.map((id) => readHits(table, id, words, id === at ? before : undefined)));
    reads += rest.length;
    for (const [index, id] of rest.entries()) {
      let { hits, next } = first[index]!;
      for (;;) {
        const room = mostHits - found.length;
        found.push(...(await shownHits(table, user, id, hits.slice(0, room), words)));
        if (hits.length > room) next = hits[room - 1]!.seq;
        if (next === undefined) break;
        if (found.length >= mostHits || reads >= mostReads)
          return { found, cursor: cursorOf({ list, id, before: next }) };
        ({ hits, next } = await readHits(table, id, words, next));
        reads += 1;
      }
      const following = rest[index + 1];
      if (following && found.length >= mostHits) return { found, cursor: cursorOf({ list, id: following }) };
    }
    if (nextList === undefined) return { found };
    if (found.length >= mostHits || reads >= mostReads) return { found, cursor: cursorOf({ list: nextList }) };
    [list, at, before] = [nextList, undefined, undefined];
  }
}

function wordsIn(text: string): string[] {
  const words = wordsOf(text);
  const isOne = text.trim().length >= 2 && text.length <= mostCharacters && words.length <= mostWords;
  if (isOne) return words;
  throw new InvalidInput('q', `use 2 to ${mostCharacters} characters and at most ${mostWords} words`);
}

const Said = Message.pick({ seq: true, role: true, author: true, text: true, createdAt: true, covers: true }).extend({
  // Its words are found, even if a part cannot be read.
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
      ProjectionExpression: 'seq, #role, author, #text, parts, createdAt, covers',
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

/** The index lags by moments, so the conversation is read: it may be deleted. */
async function shownHits(
  table: Table,
  user: string,
  conversationId: string,
  hits: readonly Said[],
  words: readonly string[],
): Promise<Found[]> {
  const meta = hits.length > 0 ? await readShownMeta(table, conversationId) : undefined;
  if (meta?.owner !== user) return [];
  const conversation = shownSummary(meta);
  return hits.map(({ text, covers: _, parts: __, ...said }) => ({
    conversation,
    ...said,
    excerpt: excerptOf(text, words),
  }));
}
