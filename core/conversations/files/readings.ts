import { retryOnConflict } from '../store/retry-on-conflict';
import { type Table, write } from '../store/table';
import type { FileRow } from './file-row';
import { changeFile, readFileRow } from './stored-file';

// What reads the text of a document notes that first, and removes the note afterwards. A note that stays is of a reader that the document
// has ended: a child process, or all of CallModel with it. What a model's provider refuses is noted for the steps that follow.

/** Who reads: an attempt of a step. */
interface Reader {
  step: string;
  writer: string;
}

/** A document that has ended so many readers is not read any more. */
const mostEnded = 2;
/** No function runs longer. */
const longestMs = 15 * 60_000;

/** Notes that a document is about to be read. @returns false, without a note, if it has ended two readers. */
export async function beginReading(
  table: Table,
  { owner, id }: { owner: string; id: string },
  { step, writer }: Reader,
  now: Date,
): Promise<boolean> {
  const { isRead } = await retryOnConflict('The file keeps changing.', async () => {
    const row = await readFileRow(table, owner, id);
    if (!row) return { isRead: true };
    const notes = (row.readings ?? []).filter((note) => note.writer !== writer);
    // An attempt follows the end of the one before it. Of another step's, only time tells.
    const ended = notes.filter((note) => note.step === step || now.getTime() - Date.parse(note.at) > longestMs);
    if (ended.length >= mostEnded) return { isRead: false };
    const readings = [...notes, { step, writer, at: now.toISOString() }];
    return (await write(table, '', [changeFile(owner, row, { set: { readings } })])) ? { isRead: true } : undefined;
  });
  return isRead;
}

/** Removes the note of a reader that has survived. */
export async function endReading(
  table: Table,
  { owner, id }: { owner: string; id: string },
  { writer }: Pick<Reader, 'writer'>,
): Promise<void> {
  await retryOnConflict('The file keeps changing.', async () => {
    const row = await readFileRow(table, owner, id);
    if (!row?.readings?.some((note) => note.writer === writer)) return true;
    const readings: FileRow['readings'] = row.readings.filter((note) => note.writer !== writer);
    const change = changeFile(
      owner,
      row,
      readings.length > 0 ? { set: { readings } } : { set: {}, remove: ['readings'] },
    );
    return (await write(table, '', [change])) || undefined;
  });
}

/** A provider may learn to read a file. */
const refusalMs = 7 * 24 * 3_600_000;
/** The models of a deployment are few, and a row is bounded. */
const mostRefusals = 5;

type Refusal = NonNullable<FileRow['refusals']>[number];

/** Returns the refusal of a file by a model's maker that still holds. */
export const refusalBy = (
  { refusals = [] }: Pick<FileRow, 'refusals'>,
  maker: string,
  now: Date,
): Refusal | undefined => refusals.find((one) => one.maker === maker && now.getTime() - Date.parse(one.at) < refusalMs);

/** Notes that a model's maker has refused a file. Those that come after the first change nothing. */
export async function noteRefusal(
  table: Table,
  { owner, id }: { owner: string; id: string },
  refusal: Omit<Refusal, 'at'>,
  now: Date,
): Promise<void> {
  await retryOnConflict('The file keeps changing.', async () => {
    const row = await readFileRow(table, owner, id);
    if (!row || refusalBy(row, refusal.maker, now)) return true;
    const others = (row.refusals ?? []).filter(({ maker }) => maker !== refusal.maker);
    const refusals = [...others, { ...refusal, at: now.toISOString() }].slice(-mostRefusals);
    return (await write(table, '', [changeFile(owner, row, { set: { refusals } })])) || undefined;
  });
}
