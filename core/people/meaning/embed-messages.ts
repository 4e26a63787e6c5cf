import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import {
  type MessageIndex,
  mostPlaced,
  type Placed,
  type Progress,
  spaceOf,
} from '../../conversations/embeddings/message-index';
import { key } from '../../conversations/rows/keys';
import { onlyReadable } from '../../conversations/rows/readable';
import { StoredMessage } from '../../conversations/rows/rows';
import { spentOnEmbeddings } from '../../conversations/runs/spending';
import { retryOnConflict } from '../../conversations/store/retry-on-conflict';
import { overwrite, readRow, readShownMeta, type Table } from '../../conversations/store/table';
import type { Embedder } from '../memory/memory';
import { digestOfWords, saidWords } from './said-words';

export interface Embedding {
  table: Table;
  index: MessageIndex;
  embedder: Embedder;
  now: () => Date;
  /** Whether there is time for another batch. Default: always. */
  isTimeLeft?: () => boolean;
}

export interface EmbeddedMessages {
  messages: number;
  tokens: number;
}

/** The batches of one call. Reconcile begins the rest. */
const mostBatches = 10;

/**
 * Embeds what was said in a conversation since it was last embedded, and these messages, if their words have changed. Vectors and progress
 * are written together, by keys that derive from the messages: made twice, or by two processes at once, it changes nothing more. If it ends
 * before, the next message continues; if the server fails, Reconcile does.
 *
 * @param seqs messages that have changed.
 * @throws an error of the embedder. What was left is noted for Reconcile then.
 */
export async function embedMessages(
  embedding: Embedding,
  conversationId: string,
  seqs: readonly number[] = [],
): Promise<EmbeddedMessages> {
  const { index, table, now, isTimeLeft = () => true } = embedding;
  const done = { messages: 0, tokens: 0 };
  let changed = seqs;
  for (let batch = 1; ; batch++) {
    const owner = (await readShownMeta(table, conversationId))?.owner;
    // It is deleted, or a fork that is still being copied.
    if (!owner) return done;
    const of = { owner, conversationId };
    const before = await index.progressOf(of);
    if (before?.isGone) return done;
    if (batch > mostBatches || !isTimeLeft()) {
      await postpone(embedding, of, changed);
      return done;
    }
    const next = await nextBatch(embedding, of, before, changed);
    const made = await embedded(embedding, of, before, next, changed);
    done.messages += made.placed.length;
    done.tokens += made.tokens;
    const change = { ...made, before, removed: next.removed };
    // Another process was faster, or the conversation was deleted meanwhile.
    if (!isDone(before, made, next) && !(await index.put(of, change, now()))) continue;
    changed = changed.filter((seq) => !next.looked.includes(seq));
    if (!next.isMore && !made.isFromStart && changed.length === 0) return done;
  }
}

/** Whether there is nothing to write: a change was delivered again, or left the words as they were. */
const isDone = (
  before: Progress | undefined,
  { placed, through }: { placed: object[]; through: number },
  next: Batch,
) => before?.through === through && before.openSince === undefined && placed.length + next.removed.length === 0;

interface ConversationOf {
  owner: string;
  conversationId: string;
}

interface Batch {
  due: { seq: number; words: string; digest: string }[];
  /** Messages that are no longer to be found. */
  removed: number[];
  through: number;
  /** All messages that were read, with those that have changed. */
  looked: number[];
  isMore: boolean;
}

/** Reads the messages after those that are embedded, and those that have changed, and finds what their vectors lack. */
async function nextBatch(
  { table, index, embedder }: Embedding,
  of: ConversationOf,
  before: Progress | undefined,
  changed: readonly number[],
): Promise<Batch> {
  const space = before && inSpaceOf(embedder, before) ? before.space : undefined;
  const through = space === undefined ? 0 : before!.through;
  const earlier = changed.filter((seq) => seq <= through).slice(0, mostPlaced / 2);
  const again = await Promise.all(earlier.map((seq) => readRow(table, of.conversationId, key.message(seq))));
  const { rows, isMore } = await readAfter(table, of.conversationId, through, mostPlaced - earlier.length);
  const after = onlyReadable(StoredMessage, rows);
  const messages = [
    ...onlyReadable(
      StoredMessage,
      again.flatMap((row) => row ?? []),
    ),
    ...after,
  ];
  const digests = space
    ? await index.digestsOf(
        of,
        space,
        messages.map(({ seq }) => seq),
      )
    : new Map<number, string>();
  const all = messages.map((message) => ({ seq: message.seq, words: saidWords(message) }));
  const said = all.flatMap(({ seq, words }) => (words ? [{ seq, words, digest: digestOfWords(words) }] : []));
  return {
    due: said.filter(({ seq, digest }) => digests.get(seq) !== digest),
    removed: all.filter(({ seq, words }) => !words && digests.has(seq)).map(({ seq }) => seq),
    through: (isMore ? after.at(-1)?.seq : lastFinished(after)) ?? through,
    // The end of a reply that is being written is another change.
    looked: [...earlier, ...changed.filter((seq) => seq > through)],
    isMore,
  };
}

const inSpaceOf = ({ model }: Embedder, { space }: Progress): boolean => space.startsWith(`${model} `);

/** What is unread or being written is looked at again with the next message, in case that its change is missed. */
function lastFinished(messages: readonly StoredMessage[]): number | undefined {
  const first = messages.findIndex(({ status }) => status === 'pending' || status === 'streaming');
  return messages.slice(0, first < 0 ? undefined : first).at(-1)?.seq;
}

async function embedded(
  embedding: Embedding,
  of: ConversationOf,
  before: Progress | undefined,
  { due, through }: Batch,
  changed: readonly number[],
) {
  const { embedder } = embedding;
  if (due.length === 0) return { placed: [], tokens: 0, through, space: before?.space ?? '', isFromStart: false };
  try {
    const { placed, tokens } = await vectorsOf(embedder, due);
    await count(embedding, of.owner, tokens);
    const space = spaceOf(embedder.model, placed[0]!.vector);
    // The model has another length of vectors than before, so the others are embedded again.
    const isFromStart = before !== undefined && inSpaceOf(embedder, before) && before.space !== space;
    return { placed, tokens, through: isFromStart ? 0 : through, space, isFromStart };
  } catch (error) {
    // Without embeddings, none are made later either.
    if ((error as Error).name !== 'TellModel') await postpone(embedding, of, changed);
    throw error;
  }
}

/** The number of texts in a row that a server refuses before it counts as one without embeddings. */
const mostRefused = 3;

/**
 * Embeds texts in one request. If the server refuses them, it may be because of one of them, for example a long one, which then is found by its
 * words only: each is sent alone.
 *
 * @throws an error of the embedder. TellModel if it takes none of them.
 */
async function vectorsOf(embedder: Embedder, due: Batch['due']): Promise<{ placed: Placed[]; tokens: number }> {
  try {
    const { vectors, tokens } = await embedder.embed(due.map(({ words }) => words));
    return { placed: due.map(({ seq, digest }, index) => ({ seq, digest, vector: vectors[index]! })), tokens };
  } catch (error) {
    if ((error as Error).name !== 'TellModel' || due.length === 1) throw error;
    const placed: Placed[] = [];
    let [sum, refused] = [0, 0];
    for (const { seq, words, digest } of due)
      try {
        const { vectors, tokens } = await embedder.embed([words]);
        placed.push({ seq, digest, vector: vectors[0]! });
        sum += tokens;
      } catch (one) {
        refused += 1;
        if ((one as Error).name !== 'TellModel' || (placed.length === 0 && refused === mostRefused)) throw one;
      }
    if (placed.length === 0) throw error;
    return { placed, tokens: sum };
  }
}

/** An answer of the table that is lost may count it twice: it is little, and a transaction could make a step of this user wait. */
async function count({ table, embedder, now }: Embedding, owner: string, tokens: number): Promise<void> {
  const costMicrodollars = Math.ceil(tokens * (embedder.price ?? 0));
  const { pk, ...sums } = spentOnEmbeddings(owner, { tokens, costMicrodollars }, now()) as { pk: string; sk: string };
  await overwrite(table, '', { pk, ...sums } as never);
}

/** Notes that something is left to embed. One row for each conversation, however much that is. */
async function postpone(
  { index, now }: Pick<Embedding, 'index' | 'now'>,
  of: ConversationOf,
  changed: readonly number[],
): Promise<void> {
  await retryOnConflict('The conversation is being embedded.', async () => {
    const before = await index.progressOf(of);
    if (before?.isGone) return true;
    const through = Math.min(before?.through ?? 0, ...changed.map((seq) => seq - 1));
    const change = { before, space: before?.space ?? '', through, isLeft: true as const };
    return (await index.put(of, change, now())) || undefined;
  });
}

/** Notes that a conversation is to be embedded from its beginning. One that is noted already, or deleted, stays as it is. */
export async function embedAgain({ index, now }: Pick<Embedding, 'index' | 'now'>, of: ConversationOf): Promise<void> {
  const before = await index.progressOf(of);
  if (before?.isGone || before?.openSince) return;
  await index.put(of, { before, space: '', through: 0, isLeft: true }, now());
}

async function readAfter({ client, name }: Table, conversationId: string, seq: number, limit: number) {
  const query = new QueryCommand({
    TableName: name,
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: {
      ':pk': key.conversation(conversationId),
      ':from': key.message(seq + 1),
      ':to': `${key.messages}~`,
    },
    ConsistentRead: true,
    Limit: limit,
  });
  const { Items: rows = [], LastEvaluatedKey } = await client.send(query);
  return { rows, isMore: LastEvaluatedKey !== undefined };
}
