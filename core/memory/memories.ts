import { readPartition, type Table, unlessConflict, write } from '../store/table';
import type { RowWrite } from '../store/write';
import { NotFound } from '../text/errors';
import { Memory, maxMemories, type PlacedMemory } from './memory';

/**
 * Memories are rows of their user's own partition, `pk = U#<user>`, `sk = MEMORY#<id>`: whoever reads one has named whose it is, and
 * that comes from the verified token. A forgotten one is no longer found at once, and is removed by DynamoDB after a day.
 */
const partition = (user: string) => `U#${user}`;
const key = (id: string) => `MEMORY#${id}`;
const day = 86_400;

export async function readMemories(table: Table, user: string): Promise<PlacedMemory[]> {
  const rows = (await readPartition(table, partition(user), key(''), key('~'))) as (StoredMemory & {
    forgotten?: boolean;
  })[];
  return rows.filter(({ forgotten }) => !forgotten).map(placed);
}

interface StoredMemory extends Memory {
  vector: Uint8Array;
  embeddingModel: string;
}

/** DynamoDB keeps bytes; their place in the buffer that they came in is not aligned to floats. */
const placed = ({ vector, embeddingModel, ...row }: StoredMemory): PlacedMemory => ({
  ...Memory.parse(row),
  vector: new Float32Array(Uint8Array.from(vector).buffer),
  embeddingModel,
});

/** Under an id of its own: remembered twice by one call, it is there once. */
export const remembered = (user: string, { vector, ...memory }: PlacedMemory): RowWrite => ({
  pk: partition(user),
  sk: key(memory.id),
  put: { ...memory, vector: new Uint8Array(vector.buffer), version: 1 },
});

export const isFull = (memories: PlacedMemory[]): boolean => memories.length >= maxMemories;

/** @throws NotFound if this user has no such memory. */
export async function forget(table: Table, user: string, id: string, now: Date): Promise<void> {
  const found = (await readMemories(table, user)).some((memory) => memory.id === id);
  if (!found) throw new NotFound(`You have no memory ${id}.`);
  await write(table, '', [forgotten(user, id, now)]).catch(unlessConflict);
}

export const forgotten = (user: string, id: string, now: Date): RowWrite => ({
  pk: partition(user),
  sk: key(id),
  set: { forgotten: true, ttl: Math.floor(now.getTime() / 1_000) + day },
  onlyIf: { id },
});
