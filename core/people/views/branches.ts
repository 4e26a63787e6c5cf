import { Branch } from '../../base/state/schemas';
import type { Meta } from '../../conversations/rows/meta';
import { onlyReadable } from '../../conversations/rows/readable';
import { readKind, readShownMeta, type Table } from '../../conversations/store/table';

/** Returns the conversation's family: all versions that are not deleted, itself included. */
export async function readBranches(table: Table, meta: Meta): Promise<Branch[]> {
  const { conversationId, rootId = conversationId, owner } = meta;
  const [rows, root] = await Promise.all([
    readKind(table, rootId, 'branch'),
    rootId === conversationId ? meta : readShownMeta(table, rootId),
  ]);
  const forks = onlyReadable(
    Branch,
    rows.filter((row) => !('ttl' in row)),
  );
  if (root?.owner !== owner) return forks;
  return [{ id: rootId, path: [], createdAt: root.createdAt }, ...forks];
}

/** Returns the ids of all versions of a user's conversation, its own last. */
export async function readVersions(table: Table, id: string, user: string): Promise<string[]> {
  const meta = await readShownMeta(table, id);
  if (meta?.owner !== user) return [id];
  const others = (await readBranches(table, meta)).filter((branch) => branch.id !== id);
  return [...others.map((branch) => branch.id), id];
}
