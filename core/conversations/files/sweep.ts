import { retryOnConflict } from '../store/retry-on-conflict';
import { type Table, write } from '../store/table';
import type { FileRow } from './file-row';
import type { FileStore } from './file-store';
import { changeFile, readFileRow } from './stored-file';
import { uncounted } from './sums';

/** An upload may take a day, and what is used no more is kept as long, for whoever sends it again. */
const keptMs = 86_400_000;

/** Whether the file is to be deleted: nothing has referred to it for a day, or a sweep has begun to. */
export const isUnused = ({ in: conversations, unusedSince = '', isGoing, ttl }: FileRow, now: Date): boolean =>
  ttl === undefined &&
  (isGoing === true || (conversations.length === 0 && unusedSince < new Date(now.getTime() - keptMs).toISOString()));

/**
 * Deletes a file that nothing refers to: first nothing can refer to it any more, then its object goes, then its row
 * expires. If this stops in between,
 * the next sweep continues.
 *
 * @returns whether it was deleted.
 */
export async function deleteUnused(table: Table, store: FileStore, user: string, id: string, now: Date) {
  const row = await readFileRow(table, user, id);
  if (!row || !isUnused(row, now)) return false;
  const sums = row.counted ? [uncounted(user, row.size)] : [];
  const going = [changeFile(user, row, { set: { isGoing: true } }), ...sums];
  if (!row.isGoing && !(await write(table, '', going))) return false;
  for (const key of [...(row.formerKeys ?? []), row.key]) await store.delete(key);
  await retryOnConflict('The file keeps changing.', async () => {
    const gone = await readFileRow(table, user, id);
    // Another sweep was faster, or the file is there again, as another object.
    if (gone?.key !== row.key || gone.ttl !== undefined) return true;
    const ttl = Math.floor(now.getTime() / 1_000);
    const end = changeFile(user, gone, { set: { ttl }, remove: ['openFor', 'openSince'] });
    return (await write(table, '', [end])) || undefined;
  });
  return true;
}
