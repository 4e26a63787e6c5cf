import { createHash } from 'node:crypto';
import { isNamedBy } from '../../base/models/file-kinds';
import { InvalidInput, NotFound, WrongState } from '../../base/text/errors';
import { retryOnConflict } from '../store/retry-on-conflict';
import { type Table, write } from '../store/table';
import type { FileRow } from './file-row';
import type { FileStore } from './file-store';
import { changeFile, fileIdOf, newFile, newObjectKey, readFileRow, storedFile, unused } from './stored-file';
import { type FileLimits, writeCounted } from './sums';

/** A file as its client announces it. */
export interface Announced {
  /** In bytes. */
  size: number;
  mediaType: string;
  /** Of its bytes, in base64. */
  sha256: string;
}

/** Returns bytes as a client announces them. */
export const announcedAs = (mediaType: string, bytes: Uint8Array): Announced & { bytes: Uint8Array } => ({
  size: bytes.byteLength,
  mediaType,
  bytes,
  sha256: createHash('sha256').update(bytes).digest('base64'),
});

/** Returns the media type of a file by its first bytes, with what was said of it as a hint. */
export type TypeOf = (first: Uint8Array, said: string) => Promise<string>;

const busy = 'The file keeps changing.';

/**
 * Makes a file's row before its bytes are stored, so nothing is stored that no row names. A repeated request, and another file with the same
 * bytes, gets the same row.
 *
 * @throws InvalidInput if the file is too large.
 * @throws LimitReached if the user's files are, together.
 */
export async function beginUpload(
  { table, store }: { table: Table; store: Pick<FileStore, 'find'> },
  user: string,
  announced: Announced,
  most: FileLimits,
  now: Date,
): Promise<FileRow> {
  const { size, mediaType, sha256 } = announced;
  if (size > most.file)
    throw new InvalidInput(
      'size',
      `the file has ${size} bytes, and at most ${most.file} are taken; send a smaller one`,
    );
  const id = fileIdOf(sha256);
  return retryOnConflict(busy, async () => {
    const before = await readFileRow(table, user, id);
    if (before && !before.isGoing) {
      // Until its bytes are there, it is what is announced last.
      const { storedAt } = before;
      if (storedAt && before.size !== size)
        throw new InvalidInput('size', `the file with this digest has ${before.size} bytes`);
      // A restored table may name an object that was deleted since.
      if (storedAt && !(await store.find(before.key))) {
        const lost = changeFile(user, before, { set: {}, remove: ['storedAt'] });
        await write(table, '', [lost]);
        return undefined;
      }
      // The bytes stay what they were shown to be. What nobody could tell of them, a later announcement may.
      const named = storedAt && isNamedBy(before.mediaType, mediaType);
      if (before.in.length > 0 && !named) return before;
      const set = {
        ...(!storedAt && { size }),
        ...((!storedAt || named) && { mediaType }),
        // It is kept for another day.
        ...(before.in.length === 0 && unused(user, id, now)),
      };
      const change = changeFile(user, before, { set });
      const more = { files: 0, bytes: storedAt || !before.counted ? 0 : size - before.size };
      const isWritten = await writeCounted(table, user, change, more, most, now);
      return isWritten ? { ...before, ...set, version: before.version + 1 } : undefined;
    }
    const row: FileRow = {
      version: (before?.version ?? 0) + 1,
      id,
      key: newObjectKey(user, id),
      mediaType,
      size,
      counted: true,
      in: [],
      // What is being deleted may not be gone yet.
      ...(before && before.ttl === undefined && { formerKeys: [...(before.formerKeys ?? []), before.key] }),
      createdAt: now.toISOString(),
      ...unused(user, id, now),
    };
    const onlyIf = before ? { version: before.version } : ('absent' as const);
    const put = { ...newFile(user, row), onlyIf };
    return (await writeCounted(table, user, put, { files: 1, bytes: size }, most, now)) ? row : undefined;
  });
}

/**
 * Completes an upload: its bytes are in the store. Its type becomes the one that they show. From then on, messages can refer to it.
 *
 * @throws NotFound if the user has begun no such upload.
 * @throws WrongState if its bytes have not arrived.
 */
export async function completeUpload(
  { table, store, typeOf }: { table: Table; store: FileStore; typeOf: TypeOf },
  user: string,
  id: string,
  now: Date,
): Promise<FileRow> {
  return retryOnConflict(busy, async () => {
    const row = await readFileRow(table, user, id);
    if (!row || row.isGoing) throw new NotFound(`You have no file ${id}.`);
    if (row.storedAt) return row;
    const { key, size, sha256 } = storedFile(row);
    const found = await store.find(key);
    if (!found)
      throw new WrongState('The file’s bytes have not arrived. Upload them to the address, then repeat this.', {
        kind: 'bytes-missing',
      });
    // The address is signed for exactly these bytes, so this is an error of the store.
    if (found.size !== size || found.sha256 !== sha256)
      throw new InvalidInput('id', 'other bytes are stored than were announced; upload them again');
    const mediaType = await typeOf(await store.read(key, firstBytes), row.mediaType);
    return markStored(table, user, row, mediaType, now);
  });
}

/** @returns undefined if the row has changed since it was read. */
async function markStored(
  table: Table,
  user: string,
  row: FileRow,
  mediaType: string,
  now: Date,
): Promise<FileRow | undefined> {
  const set = { storedAt: now.toISOString(), mediaType };
  const done = await write(table, '', [changeFile(user, row, { set })]);
  return done ? { ...row, ...set, version: row.version + 1 } : undefined;
}

/**
 * Stores bytes that are here already: a tool's, or those in a request. The same bytes are the same file, so it may be repeated.
 *
 * @param typeOf without it, the type is believed.
 * @throws InvalidInput, LimitReached as `beginUpload`.
 */
export async function storeFile(
  { table, store, typeOf }: { table: Table; store: FileStore; typeOf?: TypeOf },
  user: string,
  { bytes, ...announced }: Announced & { bytes: Uint8Array },
  most: FileLimits,
  now: Date,
): Promise<FileRow> {
  const said = announced.mediaType;
  const mediaType = (await typeOf?.(bytes.subarray(0, firstBytes), said)) ?? said;
  return retryOnConflict(busy, async () => {
    const row = await beginUpload({ table, store }, user, { ...announced, mediaType }, most, now);
    if (row.storedAt) return row;
    await store.write(storedFile(row), bytes);
    return markStored(table, user, row, mediaType, now);
  });
}

/** Enough for the marks of all types that are known. */
const firstBytes = 4_100;
