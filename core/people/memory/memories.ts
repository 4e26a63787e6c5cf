import * as z from 'zod';
import { NotFound } from '../../base/text/errors';
import { key } from '../../conversations/rows/keys';
import { onlyReadable } from '../../conversations/rows/readable';
import { ignoreConflict, readItem, readPartition, type Table, write } from '../../conversations/store/table';
import type { RowWrite } from '../../conversations/store/write';
import { Memory, maxMemories, type PlacedMemory } from './memory';

/**
 * Memories are rows of their user's own partition, `pk = U#<user>`, `sk = MEMORY#<id>`. Every read names the user, who comes from the
 * verified token. A forgotten memory is hidden at once and removed by DynamoDB after a day.
 */
const day = 86_400;

const StoredMemory = Memory.extend({
  version: z.number(),
  vector: z.instanceof(Uint8Array).refine(({ byteLength }) => byteLength % 4 === 0, 'it is no list of floats'),
  embeddingModel: z.string(),
  forgotten: z.boolean().optional(),
});

/** Leaves out what cannot be read: the other memories stay of use. */
export async function readMemories(table: Table, user: string): Promise<PlacedMemory[]> {
  const rows = await readPartition(table, key.user(user), key.memory(''), key.memory('~'));
  return onlyReadable(StoredMemory, rows)
    .filter(({ forgotten }) => !forgotten)
    .map(placed);
}

/** Copies the vector's bytes, because their offset in the received buffer is not aligned to floats. */
const placed = ({ vector, forgotten: _, version: __, ...memory }: z.infer<typeof StoredMemory>): PlacedMemory => ({
  ...memory,
  vector: new Float32Array(Uint8Array.from(vector).buffer),
});

/** Returns the memory's row. A repeated call writes the same row. */
export const remembered = (user: string, { vector, ...memory }: PlacedMemory): RowWrite => ({
  pk: key.user(user),
  sk: key.memory(memory.id),
  put: { ...memory, vector: new Uint8Array(vector.buffer), version: 1 },
});

const goneAt = (now: Date): number => Math.floor(now.getTime() / 1_000) + day;

export const isFull = (memories: PlacedMemory[]): boolean => memories.length >= maxMemories;

/** @throws NotFound if this user has no such memory. */
export async function forget(table: Table, user: string, id: string, now: Date): Promise<void> {
  const at = { pk: key.user(user), sk: key.memory(id) };
  const row = await readItem(table, at);
  if (!row || (row as Record<string, unknown>).forgotten === true) throw new NotFound(`You have no memory ${id}.`);
  // One that cannot be read is in no list, and may have another id.
  const isReadable = StoredMemory.safeParse(row).success;
  const gone = isReadable ? forgotten(user, id, now) : { ...at, mark: { ttl: goneAt(now) } };
  await write(table, '', [gone]).catch(ignoreConflict);
}

export const forgotten = (user: string, id: string, now: Date): RowWrite => ({
  pk: key.user(user),
  sk: key.memory(id),
  set: { forgotten: true, ttl: goneAt(now) },
  onlyIf: { id },
});
