import { key } from '../rows/keys';
import type { Meta } from '../rows/meta';
import { Branch } from '../state/schemas';
import { readMeta, readRows, type Table } from '../store/table';

/** Returns the conversation's family: all versions that are not deleted, itself included. */
export async function readBranches(table: Table, meta: Meta): Promise<Branch[]> {
  const { conversationId, rootId = conversationId, owner } = meta;
  const [rows, root] = await Promise.all([
    readRows(table, rootId, key.branch(''), `${key.branch('')}~`),
    rootId === conversationId ? meta : readMeta(table, rootId),
  ]);
  const forks = rows.filter((row) => !('ttl' in row)).map((row) => Branch.parse(row));
  if (root?.owner !== owner) return forks;
  return [{ id: rootId, path: [], createdAt: root.createdAt }, ...forks];
}

/** Returns the ids of all versions of a user's conversation, its own last. */
export async function readVersions(table: Table, id: string, user: string): Promise<string[]> {
  const meta = await readMeta(table, id);
  if (meta?.owner !== user) return [id];
  const others = (await readBranches(table, meta)).filter((branch) => branch.id !== id);
  return [...others.map((branch) => branch.id), id];
}
