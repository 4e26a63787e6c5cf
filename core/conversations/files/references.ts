import { type FilePart, type Part, wordsOf } from '../../base/content/parts';
import { InvalidInput, NotFound, Throttled } from '../../base/text/errors';
import { key } from '../rows/keys';
import { bytesOf } from '../rows/size';
import { changeConversation } from '../store/change-conversation';
import { retryOnConflict } from '../store/retry-on-conflict';
import { ignoreConflict, readRow, type Table, write } from '../store/table';
import type { RowWrite } from '../store/write';
import type { FileRow } from './file-row';
import type { FileStore } from './file-store';
import { changeFile, filePart, readFileRow, readFileRows, unused } from './stored-file';
import type { FileLimits } from './sums';
import { announcedAs, storeFile } from './upload';

/** A part as a client sends it: of a file, its id is enough. */
export type SentPart = Exclude<Part, FilePart> | Pick<FilePart, 'type' | 'id' | 'filename'>;

/** Of a message’s row, which has its words twice: once for those who read them as one text. */
const mostContentBytes = 350_000;
/** The conversations that refer to a file. Their ids are in its row, which has room for a few more. */
const mostConversations = 5_000;
/** One message’s files. */
export const mostFiles = 20;

/**
 * Completes the parts of a message, and refers to their files from the conversation in the same transaction as the message. They are files of the
 * conversation's owner. A member has uploaded the same bytes, or refers to a file of the conversation: an id alone opens nothing.
 *
 * @throws InvalidInput naming the part, if the user has no such file.
 */
export async function attachFiles(
  table: Table,
  user: string,
  conversationId: string,
  sent: readonly SentPart[],
  sender = user,
): Promise<{ parts: Part[]; rows: RowWrite[] }> {
  const used = new Map<string, FileRow>();
  const parts: Part[] = [];
  for (const [index, part] of sent.entries()) {
    if (part.type !== 'file') {
      parts.push(part);
      continue;
    }
    const row = used.get(part.id) ?? (await readFileRow(table, user, part.id));
    if (!row?.storedAt || row.isGoing || !(await isOf(table, sender, row, { user, conversationId })))
      throw new InvalidInput(`parts.${index}.id`, 'you have no such file; upload it and complete the upload first');
    if (row.in.length >= mostConversations && !row.in.includes(conversationId))
      throw new InvalidInput(
        `parts.${index}.id`,
        `the file is in ${row.in.length} conversations, and no file can be in more; change it, or delete conversations`,
      );
    used.set(part.id, row);
    parts.push({ ...filePart(row, part.filename), sources: ['file'] });
  }
  const bytes = bytesOf({ text: wordsOf(parts), parts });
  if (bytes > mostContentBytes)
    throw new InvalidInput('parts', `they have ${bytes} bytes, and at most ${mostContentBytes} are taken; send less`);
  if (used.size > mostFiles)
    throw new InvalidInput('parts', `there are ${used.size} files, and a message has at most ${mostFiles}`);
  return { parts, rows: [...used.values()].flatMap((row) => referring(user, row, conversationId)) };
}

const isOf = async (
  table: Table,
  sender: string,
  row: FileRow,
  { user, conversationId }: { user: string; conversationId: string },
): Promise<boolean> =>
  sender === user ||
  row.in.includes(conversationId) ||
  (await readFileRow(table, sender, row.id))?.storedAt !== undefined;

/**
 * Stores the files of a member's message as the owner's, whom they count for. The member's own copies are deleted a day later.
 *
 * @throws InvalidInput, LimitReached as `storeFile` does.
 */
export async function giveFiles(
  { table, store }: { table: Table; store: FileStore },
  { from, to }: { from: string; to: string },
  sent: readonly SentPart[],
  most: FileLimits,
  now: Date,
): Promise<void> {
  if (from === to) return;
  for (const part of sent) {
    if (part.type !== 'file') continue;
    const row = await readFileRow(table, from, part.id);
    // What the sender has not uploaded is refused with the message, unless the conversation refers to it.
    if (!row?.storedAt || row.isGoing) continue;
    const { mediaType } = row;
    await storeFile({ table, store }, to, announcedAs(mediaType, await store.read(row.key)), most, now);
  }
}

/** Returns the writes with which the conversation refers to the file. One that is in too many stays a reference to nothing. */
export const referring = (user: string, row: FileRow, conversationId: string): RowWrite[] =>
  row.in.includes(conversationId) || row.in.length >= mostConversations
    ? []
    : [
        changeFile(user, row, {
          set: { in: [...row.in, conversationId] },
          remove: ['unusedSince', 'openFor', 'openSince'],
        }),
      ];

/**
 * Returns the writes with which the conversation refers to the files of a reply.
 *
 * @throws Throttled if one was deleted since it was stored, as none is for a day.
 */
export async function referencesOfReply(
  table: Table,
  owner: string,
  conversationId: string,
  files: readonly FilePart[],
): Promise<RowWrite[]> {
  const ids = [...new Set(files.map(({ id }) => id))];
  const rows = await Promise.all(ids.map((id) => readFileRow(table, owner, id)));
  return rows.flatMap((row) => {
    if (!row?.storedAt || row.isGoing) throw new Throttled('A file of the reply was deleted before it was used.');
    return referring(owner, row, conversationId);
  });
}

/**
 * Returns the writes with which a fork refers to the files that its source refers to. One that is gone is left out, and stays a reference to
 * nothing.
 */
export async function referencesOfFork(
  table: Table,
  user: string,
  { from, to }: { from: string; to: string },
  files: readonly FilePart[],
): Promise<RowWrite[]> {
  const ids = [...new Set(files.map((file) => file.id))];
  const rows = await Promise.all(ids.map((id) => readFileRow(table, user, id)));
  return rows.flatMap((row) => (row?.storedAt && row.in.includes(from) ? referring(user, row, to) : []));
}

/**
 * Refers from a fork to one file of its source, also while others do the same.
 *
 * @param isStill the fork is in progress.
 * @returns false if it is not.
 */
export function referToFile(
  table: Table,
  user: string,
  { from, to }: { from: string; to: string },
  id: string,
  isStill: RowWrite,
): Promise<boolean> {
  return retryOnConflict<boolean>('The file keeps changing.', async () => {
    const row = await readFileRow(table, user, id);
    const rows = row?.storedAt && row.in.includes(from) ? referring(user, row, to) : [];
    if (rows.length === 0) return true;
    try {
      return await write(table, to, [isStill, ...rows]);
    } catch (error) {
      ignoreConflict(error);
      return undefined;
    }
  });
}

/** Refers to no file from the conversation any more. What nothing else refers to is deleted a day later. */
export async function releaseFiles(table: Table, user: string, conversationId: string, now: Date): Promise<void> {
  const some = (await readFileRows(table, user)).filter((row) => row.in.includes(conversationId));
  for (const { id } of some)
    await retryOnConflict('The file keeps changing.', async () => {
      const row = await readFileRow(table, user, id);
      if (!row?.in.includes(conversationId)) return true;
      const others = row.in.filter((one) => one !== conversationId);
      const set = { in: others, ...(others.length === 0 && unused(user, id, now)) };
      return (await write(table, '', [changeFile(user, row, { set })])) || undefined;
    });
}

/** Returns a file that the conversation refers to. @throws NotFound if it does not: an id alone opens nothing. */
export async function readOpenFile(
  table: Table,
  { owner, conversationId }: { owner: string; conversationId: string },
  id: string,
): Promise<FileRow> {
  const row = await readFileRow(table, owner, id);
  if (row?.storedAt && row.in.includes(conversationId)) return row;
  throw new NotFound(`The conversation has no file ${id}.`);
}

/**
 * Returns a file that a sub-agent's task names, if the conversation that gave the task refers to it. From then on, the sub-agent's does as
 * well. Any other id opens nothing.
 */
export function readFileOfTask(
  table: Table,
  { owner, conversationId }: { owner: string; conversationId: string },
  id: string,
): Promise<FileRow | undefined> {
  return changeConversation<FileRow | undefined>(table, conversationId, async (meta) => {
    if (!meta.parent || meta.owner !== owner) return { answer: undefined };
    const [task, row] = await Promise.all([
      readRow(table, conversationId, key.message(1)) as Promise<{ text?: string } | undefined>,
      readFileRow(table, owner, id),
    ]);
    const isGiven = task?.text?.includes(id) && row?.storedAt && row.in.includes(meta.parent.conversationId);
    return isGiven ? { rows: referring(owner, row, conversationId), answer: row } : { answer: undefined };
  });
}
