// core/conversations/embeddings: the index by which messages are found by meaning.

import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { cosine, nearEnough, quantised } from '../../base/models/vectors';
import { ttlAfter } from '../../base/time/ttl';
import { key } from '../rows/keys';
import { openIn, openList } from '../rows/open-lists';
import { onlyReadable } from '../rows/readable';
import { EmbeddedRow } from '../rows/rows';
import { overwrite, readItem, readPartition, type Table, write } from '../store/table';
import type { RowWrite } from '../store/write';

/** A user's conversation. */
export interface ConversationOf {
  owner: string;
  conversationId: string;
}

/** What a search by meaning may find: all conversations of an owner, and those that others share with them. */
export interface Scope {
  owner: string;
  shared?: ConversationOf[];
}

/** The vector of a message, and the digest of the words that were embedded. */
export interface Placed {
  seq: number;
  vector: Float32Array;
  digest: string;
}

/** A message whose vector is near to a query's. Its words may have changed since: then they have another digest. */
export interface Near {
  conversationId: string;
  seq: number;
  digest: string;
  /** Cosine similarity, from -1 to 1. */
  similarity: number;
}

interface Nearest {
  near: Near[];
  /** The owner's conversations with vectors of another model, which are to be embedded again. */
  outdated: string[];
  /** The conversations of the scope that the index knows. */
  known: ReadonlySet<string>;
  /** Whether all of the scope was compared. */
  isWhole: boolean;
}

/** Up to which message a conversation is embedded, as it was read. Its version fences what is put. */
export interface Progress {
  /** That of its row; null if it has none. 0 or less if it is gone. */
  version: number | string | null;
  through: number;
  /** See `spaceOf`. Empty if all is to be embedded again. */
  space: string;
  isGone: boolean;
  /** While something is left for Reconcile: its place among what is open. */
  openSince?: string;
}

/** Returns the name of the space that vectors are in. Those of another model, or of another length, cannot be compared. */
export const spaceOf = (model: string, vector: ArrayLike<number>): string => `${model} ${vector.length}`;

/**
 * The index of what was said. Who reads it passes the scope, which code takes from the verified token or from a call's row, and reads the
 * words of what it finds in the messages themselves.
 */
export interface MessageIndex {
  progressOf(of: ConversationOf): Promise<Progress | undefined>;
  /** Returns the digests of what is in a space, by the messages' `seq`. */
  digestsOf(of: ConversationOf, space: string, seqs: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /**
   * Stores vectors, removes others, and says how far the conversation is embedded, all or nothing.
   *
   * @param isLeft something is left to do, which Reconcile begins.
   * @returns false if the conversation was deleted, or embedded by another process, since its progress was read.
   */
  put(
    of: ConversationOf,
    change: { before?: Progress; space: string; through: number; placed?: Placed[]; removed?: number[]; isLeft?: true },
    now: Date,
  ): Promise<boolean>;
  /** Removes the vectors of a deleted conversation, and lets none be put any more. */
  remove(of: ConversationOf, now: Date): Promise<void>;
  /** Removes what is left of a conversation that is gone. One that has come back stays. */
  erase(of: ConversationOf, now: Date): Promise<void>;
  nearest(query: { vector: Float32Array; space: string }, scope: Scope, limit: number): Promise<Nearest>;
}

/** Together with the row of the progress, fewer than a transaction may have. */
export const mostPlaced = 50;
/** Each read has up to 1 MB: about 2,300 vectors of 256 dimensions. */
const mostReads = 64;
const mostOutdated = 25;
/** As long as META: its id is not used again before. */
const goneDays = 60;
const vectorDays = 1;

/**
 * An exact search of rows in a partition of their owner's: `SAID#<conversation>#<seq>` has a vector, `TALK#<conversation>` the progress. A
 * vector has a byte for each number, so that 10,000 of them are five reads. They are compared page by page, so the memory that a search needs
 * does not grow with what it reads.
 */
export function rowsIndex(table: Table, { reads = mostReads } = {}): MessageIndex {
  const read = async ({ owner, conversationId }: ConversationOf): Promise<Progress | undefined> => {
    const row = await readItem(table, { pk: key.saidTo(owner), sk: key.embedded(conversationId) });
    return row && progressIn(row);
  };
  const erase: MessageIndex['erase'] = async (of, now) => {
    const pk = key.saidTo(of.owner);
    const from = key.embeddings(of.conversationId);
    for (;;) {
      const before = await read(of);
      if (!before?.isGone) return;
      const rows = (await readPartition(table, pk, from, `${from}~`)) as { sk: string; ttl?: unknown }[];
      const left = rows.filter(({ ttl }) => ttl === undefined);
      const gone = goneRow(of, now, { version: Number(before.version) - 1, isLeft: left.length > mostPlaced });
      const erased = left.slice(0, mostPlaced).map(({ sk }) => ({ pk, sk, put: expired(now) }));
      const isWritten = await write(table, '', [{ ...gone, onlyIf: { version: before.version } }, ...erased]);
      if (isWritten && left.length <= mostPlaced) return;
    }
  };
  return {
    progressOf: read,
    async digestsOf({ owner, conversationId }, space, seqs) {
      if (seqs.length === 0) return new Map();
      const [from, to] = [Math.min(...seqs), Math.max(...seqs)].map((seq) => key.embedding(conversationId, seq));
      const rows = onlyReadable(StoredVector, await readPartition(table, key.saidTo(owner), from!, to!));
      return new Map(
        rows
          .filter(({ embeddingModel }) => embeddingModel === space)
          .map(({ sk, digest }) => [placeIn(sk).seq, digest]),
      );
    },
    put({ owner, conversationId }, { before, space, through, placed = [], removed = [], isLeft }, now) {
      const pk = key.saidTo(owner);
      const version = (Number(before?.version) || 0) + 1;
      const progress = { version, through, embeddingModel: space };
      const open = isLeft && openIn(openList.unseen(owner), now.toISOString(), conversationId);
      const rows: RowWrite[] = [
        {
          pk,
          sk: key.embedded(conversationId),
          put: { ...progress, ...open },
          onlyIf: before ? { version: before.version } : 'absent',
        },
        ...placed.map(({ seq, vector, digest }) => {
          const { buffer, byteLength } = quantised(vector);
          const put = { version: 1, vector: new Uint8Array(buffer, 0, byteLength), embeddingModel: space, digest };
          return { pk, sk: key.embedding(conversationId, seq), put };
        }),
        ...removed.map((seq) => ({ pk, sk: key.embedding(conversationId, seq), put: expired(now) })),
      ];
      return write(table, conversationId, rows);
    },
    async remove(of, now) {
      await overwrite(table, '', goneRow(of, now));
      await erase(of, now);
    },
    erase,
    nearest: (query, scope, limit) => nearestRows(table, query, scope, { limit, reads }),
  };
}

/**
 * Returns the row of the progress of a conversation that is deleted, or another's. Its version is 0 or less, which no process has read that
 * wants to put something. While something is left to erase, Reconcile finds it.
 */
function goneRow({ owner, conversationId }: ConversationOf, now: Date, { version = 0, isLeft = true } = {}) {
  const gone = { version, through: 0, embeddingModel: '', gone: true, ttl: ttlAfter(now, goneDays) };
  const open = isLeft && openIn(openList.unseen(owner), now.toISOString(), conversationId);
  return { pk: key.saidTo(owner), sk: key.embedded(conversationId), put: { ...gone, ...open } };
}

/**
 * Returns the rows that are written with another owner: nothing is put any more for the former one, and Reconcile erases what is left; for the
 * new one, all is to be embedded.
 */
export function handedOverRows(conversationId: string, from: string, to: string, now: Date): RowWrite[] {
  const open = openIn(openList.unseen(to), now.toISOString(), conversationId);
  // No process has read this version, if it was theirs before.
  const progress = { version: now.getTime(), through: 0, embeddingModel: '', ...open };
  return [
    goneRow({ owner: from, conversationId }, now),
    { pk: key.saidTo(to), sk: key.embedded(conversationId), put: progress },
  ];
}

/** Replaces a vector: nothing of it is left until DynamoDB removes the row. */
const expired = (now: Date) => ({ version: 1, ttl: ttlAfter(now, vectorDays) });

function progressIn(row: Record<string, unknown>): Progress {
  const { version, gone } = row;
  const { data } = EmbeddedRow.safeParse(row);
  return {
    version: typeof version === 'number' || typeof version === 'string' ? version : null,
    // If it cannot be read, all is embedded again.
    through: data?.through ?? 0,
    space: data?.embeddingModel ?? '',
    isGone: gone === true,
    ...(row.openFor !== undefined && { openSince: String(row.openSince) }),
  };
}

const StoredVector = z.object({
  sk: z.string(),
  vector: z.instanceof(Uint8Array),
  embeddingModel: z.string(),
  digest: z.string(),
});
type StoredVector = z.infer<typeof StoredVector>;

/** As `StoredVector` does, for each of ten thousand rows. */
const isVector = (row: Record<string, unknown>): row is StoredVector & Record<string, unknown> =>
  row.vector instanceof Uint8Array && typeof row.embeddingModel === 'string' && typeof row.digest === 'string';

/** Returns the message that a key names. Ids have no `#`. */
function placeIn(sk: string): { conversationId: string; seq: number } {
  const [, conversationId = '', seq] = sk.split('#');
  return { conversationId, seq: Number(seq) };
}

async function nearestRows(
  { client, name: TableName }: Table,
  query: { vector: Float32Array; space: string },
  { owner, shared = [] }: Scope,
  { limit, reads }: { limit: number; reads: number },
): Promise<Nearest> {
  const wanted = quantised(query.vector);
  const outdated = new Set<string>();
  const known = new Set<string>();
  let near: Near[] = [];
  let left = reads;
  const parts = [
    { of: owner, part: '' },
    ...shared.map((one) => ({ of: one.owner, part: key.embeddings(one.conversationId) })),
  ];
  for (const { of, part } of parts) {
    let ExclusiveStartKey: Record<string, unknown> | undefined;
    do {
      if (left-- === 0) return { near, outdated: [...outdated], known, isWhole: false };
      const page = await client.send(
        new QueryCommand({
          TableName,
          ExclusiveStartKey,
          KeyConditionExpression: `pk = :pk${part && ' AND begins_with(sk, :part)'}`,
          ExpressionAttributeValues: { ':pk': key.saidTo(of), ...(part && { ':part': part }) },
          ProjectionExpression: 'sk, vector, embeddingModel, digest',
        }),
      );
      for (const row of page.Items ?? []) {
        const { conversationId, seq } = placeIn(String(row.sk));
        known.add(conversationId);
        if (!isVector(row)) continue;
        if (row.embeddingModel !== query.space || row.vector.length !== wanted.length) {
          if (of === owner && outdated.size < mostOutdated) outdated.add(conversationId);
          continue;
        }
        const { buffer, byteOffset, length } = row.vector;
        const similarity = cosine(new Int8Array(buffer, byteOffset, length), wanted);
        if (similarity >= nearEnough) near.push({ conversationId, seq, digest: row.digest, similarity });
      }
      near = near.sort((a, b) => b.similarity - a.similarity).slice(0, limit);
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
  }
  return { near, outdated: [...outdated], known, isWhole: true };
}
