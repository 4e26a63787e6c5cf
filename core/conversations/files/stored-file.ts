// core/conversations/files: the files of conversations: rows, storage, uploads, and which of them are still needed.

import { createHash, randomUUID } from 'node:crypto';
import type { FilePart } from '../../base/content/parts';
import { key } from '../rows/keys';
import { openIn, openList } from '../rows/open-lists';
import { readItem, readPartition, type Table } from '../store/table';
import type { SetWrite } from '../store/write';
import { FileRow } from './file-row';
import type { StoredFile } from './file-store';

/** Returns the id of a file with this SHA-256, in base64. */
export const fileIdOf = (sha256: string): string =>
  `f_${sha256.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')}`;

/** Returns the SHA-256 of the file's bytes, in base64. */
const sha256In = (fileId: string): string => `${fileId.slice('f_'.length).replace(/-/g, '+').replace(/_/g, '/')}=`;

/** @returns the key of a new object: a digest of its owner, that of its bytes, and a part that no other object has. */
export const newObjectKey = (user: string, id: string): string =>
  `files/${createHash('sha256').update(user).digest('hex').slice(0, 32)}/${id}.${randomUUID().slice(0, 8)}`;

export const storedFile = ({ id, key, mediaType, size }: FileRow): StoredFile => ({
  key,
  mediaType,
  size,
  sha256: sha256In(id),
});

/** Returns the file as a message refers to it. */
export const filePart = ({ id, mediaType, size }: FileRow, filename?: string): FilePart => ({
  type: 'file',
  id,
  mediaType,
  size,
  ...(filename !== undefined && { filename }),
});

const placeOf = (user: string, id: string) => ({ pk: key.filesOf(user), sk: key.file(id) });

export async function readFileRow(table: Table, user: string, id: string): Promise<FileRow | undefined> {
  const row = await readItem(table, placeOf(user, id));
  return row && parsedFile(row);
}

/** A row that cannot be read is as good as none. */
const parsedFile = (row: object): FileRow | undefined => FileRow.safeParse(row).data;

/** Reads all files of a user. */
export async function readFileRows(table: Table, user: string): Promise<FileRow[]> {
  const rows = await readPartition(table, key.filesOf(user), key.file(''), key.file('~'));
  return rows.map(parsedFile).filter((row) => row !== undefined);
}

/** The fields of a file that nothing refers to. */
export const unused = (user: string, id: string, now: Date) => ({
  unusedSince: now.toISOString(),
  ...openIn(openList.unseen(user), now.toISOString(), id),
});

/** Changes the row that was read. */
export const changeFile = (
  user: string,
  { id, version }: FileRow,
  change: Pick<SetWrite, 'set' | 'remove'>,
): SetWrite => ({ ...placeOf(user, id), ...change, onlyIf: { version } });

export const newFile = (user: string, row: FileRow) => ({ ...placeOf(user, row.id), put: row });
