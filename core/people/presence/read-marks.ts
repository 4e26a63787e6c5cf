import { ReadMark } from '../../base/state/schemas';
import { ttlAfter } from '../../base/time/ttl';
import { nameFrom } from '../../conversations/members/members';
import { isShared, type Person, readMetaFor, roleIn, userOf } from '../../conversations/members/role';
import { key } from '../../conversations/rows/keys';
import type { Meta } from '../../conversations/rows/meta';
import { onlyReadable, parsedAs } from '../../conversations/rows/readable';
import { StoredReadMark } from '../../conversations/rows/rows';
import { retryOnConflict } from '../../conversations/store/retry-on-conflict';
import { readKind, readRow, type Table, write } from '../../conversations/store/table';

/** A mark expires when it has not moved for this long, so that none stays that was written while its conversation was deleted. */
const keptDays = 90;

/**
 * Stores how far a person has read a conversation of several people. The mark only moves on, whatever the order of the requests. Of a
 * conversation of one person nothing is stored.
 *
 * @param seq the last message that they have seen.
 * @param called the name that their token has.
 * @throws NotFound if this person may not read it.
 */
export async function markRead(
  table: Table,
  id: string,
  person: Person,
  { seq, called = '' }: { seq: number; called?: string },
  now: Date,
): Promise<void> {
  const meta = await readMetaFor(table, id, person);
  if (!isShared(meta)) return;
  const user = userOf(person);
  const name = nameFrom(called);
  const sk = key.readMark(user);
  const wanted = Math.min(seq, meta.lastSeq);
  await retryOnConflict('The mark keeps changing.', async () => {
    const row = await readRow(table, id, sk);
    const before = row && parsedAs(StoredReadMark, row);
    if (before && before.seq >= wanted) return true;
    const mark: StoredReadMark = {
      version: (before?.version ?? 0) + 1,
      user,
      seq: wanted,
      ttl: ttlAfter(now, keptDays),
      ...(name !== undefined && { name }),
    };
    const onlyIf = before ? { version: before.version } : ('absent' as const);
    return (await write(table, id, [{ sk, put: mark, onlyIf }])) || undefined;
  });
}

/** Returns how far the people of a conversation have read it, without those who were removed. */
export async function readMarks(table: Table, meta: Meta): Promise<ReadMark[]> {
  if (!isShared(meta)) return [];
  // Who is in by a group is in no list.
  const hasGroup = Object.keys(meta.members ?? {}).some((name) => name.startsWith('group:'));
  const rows = onlyReadable(StoredReadMark, await readKind(table, meta.conversationId, 'readMark'));
  return rows.filter(({ user }) => hasGroup || roleIn(meta, user) !== undefined).map((row) => ReadMark.parse(row));
}
