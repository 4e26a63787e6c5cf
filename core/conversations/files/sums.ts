import { LimitReached } from '../../base/text/errors';
import { key } from '../rows/keys';
import { countIn } from '../store/counts';
import { RowConflict, readItem, type Table, write } from '../store/table';
import type { RowWrite } from '../store/write';

/**
 * The sums of a user's files: in the partition of the files, `sk = SUMS` for those that there are and `SUMS#<month>` for those that were
 * begun on each of its days. They change in the transactions in which files begin, grow and go, so no upload reads the other files, and the
 * limits hold under a race.
 */

/** The limits of a user's files, in bytes. */
export interface FileLimits {
  file: number;
  /** Of a day (UTC). */
  day: number;
  all: number;
  /** The number of files. */
  count: number;
}

const sums = (user: string) => ({ pk: key.filesOf(user), sk: key.fileSums });
const ofMonth = (user: string, now: Date) => ({
  pk: key.filesOf(user),
  // A date is ASCII.
  sk: `${key.fileSums}#${now.toISOString().slice(0, 7)}`,
});
const inDay = (now: Date) => `d${now.toISOString().slice(8, 10)}`;

/** What a file adds when it begins, or gets another size. Bytes that it loses stay in the sum of its day. */
interface More {
  files: number;
  bytes: number;
}

/** Returns the write that counts a file no more, once nothing can refer to it. */
export const uncounted = (user: string, bytes: number): RowWrite => ({
  ...sums(user),
  add: { files: -1, bytes: -bytes },
});

/**
 * Writes a file's row, and counts it in the same transaction.
 *
 * @returns false if the row has changed since it was read.
 * @throws LimitReached if there is no room.
 */
export async function writeCounted(
  table: Table,
  user: string,
  row: RowWrite,
  more: More,
  most: FileLimits,
  now: Date,
): Promise<boolean> {
  const { files, bytes } = more;
  const day = inDay(now);
  const total: RowWrite = { ...sums(user), add: { files, bytes }, atMost: { files: most.count, bytes: most.all } };
  const today: RowWrite = { ...ofMonth(user, now), add: { [day]: bytes }, atMost: { [day]: most.day } };
  const counts = files || bytes ? [total, ...(bytes > 0 ? [today] : [])] : [];
  try {
    return await write(table, '', [row, ...counts]);
  } catch (error) {
    if (!(error instanceof RowConflict)) throw error;
    const [all, month] = await Promise.all([readItem(table, sums(user)), readItem(table, ofMonth(user, now))]);
    const used = { files: countIn(all?.files), bytes: countIn(all?.bytes), today: countIn(month?.[day]) };
    checkRoom(more, most, used);
    // There is room again.
    return false;
  }
}

/** @throws LimitReached */
function checkRoom({ files, bytes }: More, most: FileLimits, used: More & { today: number }): void {
  const remedy = 'Delete conversations that are no longer needed';
  if (used.files + files > most.count)
    throw new LimitReached(
      { name: 'files', used: used.files, most: most.count },
      `You have ${used.files} files, and at most ${most.count} are kept. ${remedy}.`,
    );
  if (used.bytes + bytes > most.all)
    throw new LimitReached(
      { name: 'fileBytes', used: used.bytes, most: most.all },
      `You have ${used.bytes} bytes of files, and at most ${most.all} are kept. ${remedy}.`,
    );
  if (used.today + bytes > most.day)
    throw new LimitReached(
      { name: 'dayFileBytes', used: used.today, most: most.day },
      `You have ${used.today} bytes of files from today (UTC), and at most ${most.day} are kept. Wait a day.`,
    );
}
