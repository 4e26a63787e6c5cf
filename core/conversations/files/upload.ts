import { createHash } from 'node:crypto';
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

/** Returns the media type that the bytes show, of the first ones; undefined for text, and for types without a mark. */
export type TypeOf = (first: Uint8Array) => Promise<string | undefined>;

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
 * Completes an upload: its bytes are in the store, and are of the type that was announced. A file that was announced as bytes of any type gets
 * the type that they show. From then on, messages can refer to it.
 *
 * @throws NotFound if the user has begun no such upload.
 * @throws WrongState if its bytes have not arrived.
 * @throws InvalidInput if they are of another type. It can be announced again, as what it is.
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
    const shown = await typeOf(await store.read(key, firstBytes));
    return markStored(table, user, row, typeChecked(shown, row.mediaType), now);
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
 * Returns the type of a file: what was announced or, if that says nothing, what the bytes show.
 *
 * @throws InvalidInput if they are of another type.
 */
function typeChecked(shown: string | undefined, announced: string): string {
  if (announced === anyBytes) return shown ?? announced;
  if (shown === undefined ? marked.test(announced) : !isSameType(shown, announced))
    throw new InvalidInput(
      'mediaType',
      `the file is ${shown ?? 'of another type'}, not ${announced}; announce it as what it is`,
    );
  return announced;
}

/** What a browser says of a file of which it knows nothing. */
const anyBytes = 'application/octet-stream';

/**
 * Stores bytes that are here already: a tool's, or those in a request. The same bytes are the same file, so it may be repeated.
 *
 * @param typeOf without it, the type is believed.
 * @throws InvalidInput, LimitReached as `beginUpload` and `completeUpload`.
 */
export async function storeFile(
  { table, store, typeOf }: { table: Table; store: FileStore; typeOf?: TypeOf },
  user: string,
  { bytes, ...announced }: Announced & { bytes: Uint8Array },
  most: FileLimits,
  now: Date,
): Promise<FileRow> {
  // Also if they are stored already, as another type.
  const mediaType = typeOf
    ? typeChecked(await typeOf(bytes.subarray(0, firstBytes)), announced.mediaType)
    : announced.mediaType;
  return retryOnConflict(busy, async () => {
    const row = await beginUpload({ table, store }, user, announced, most, now);
    if (row.storedAt) return row;
    await store.write(storedFile({ ...row, mediaType }), bytes);
    return markStored(table, user, row, mediaType, now);
  });
}

/** Enough for the marks of all types that are known. */
const firstBytes = 4_100;

/** Types that are shown or sent to models as what they are. Their bytes begin with a mark. */
const marked = /^(?:image\/(?:png|jpeg|gif|webp|avif)|application\/pdf)$/;

/** Office’s documents are zip files, and some types have two names. */
const isSameType = (shown: string, announced: string): boolean =>
  shown === announced ||
  (!marked.test(announced) && (sameTypes[shown] ?? []).some((prefix) => announced.startsWith(prefix)));

/** Whether an announced type says more than the one that is known: of bytes of any type, or of what is in a container. */
const isNamedBy = (known: string, announced: string): boolean =>
  announced !== known &&
  !marked.test(announced) &&
  (known === anyBytes || (containers.includes(known) && isSameType(known, announced)));
const containers = ['application/zip', 'application/x-cfb'];

const sameTypes: Record<string, string[]> = {
  'application/zip': ['application/vnd.', 'application/x-zip', 'application/epub'],
  'application/x-cfb': ['application/vnd.ms-', 'application/msword'],
  'application/xml': ['text/xml', 'image/svg+xml', 'application/'],
  'audio/wav': ['audio/x-wav', 'audio/vnd.wave', 'audio/wave'],
  'audio/mpeg': ['audio/mp3'],
  'video/mp4': ['audio/mp4', 'audio/x-m4a'],
  'video/webm': ['audio/webm'],
  'audio/ogg': ['audio/', 'video/ogg'],
};
