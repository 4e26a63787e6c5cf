import * as z from 'zod';
import {
  FilePart,
  fileIdPattern,
  filePartsIn,
  InlineFile,
  replacedFiles,
  TextPart,
  withoutFile,
} from '../../base/content/parts';
import type { Source } from '../../base/content/sources';
import { InvalidInput, LimitReached, TellModel } from '../../base/text/errors';
import type { Table } from '../store/table';
import type { RowWrite } from '../store/write';
import type { FileStore } from './file-store';
import { mostFiles, readFileOfTask, readOpenFile, referring } from './references';
import { fileIdOf, filePart as partOf, readFileRow } from './stored-file';
import type { FileLimits } from './sums';
import { announcedAs, storeFile, type TypeOf } from './upload';

/** A file as a tool makes it. */
export interface NewFile {
  bytes: Uint8Array;
  /** Its media type, such as `text/csv`. */
  mediaType: string;
  filename?: string;
}

/** The files of the conversation, for a tool with `needs: { files: true }`. */
export interface ToolFiles {
  /** Reads a file by its id. @throws TellModel if the conversation has none with this id. */
  read(id: string): Promise<NewFile & { size: number }>;
  /**
   * Stores a file of the conversation's owner. Return what this returns: the call's result then refers to it, or it is deleted after a day.
   * The same bytes are the same file, so an attempt may be repeated.
   *
   * @throws TellModel if it is too large, or the user has too many.
   */
  write(file: NewFile): Promise<FilePart>;
}

/** What a call has and may do. */
interface Of {
  table: Table;
  conversationId: string;
  /** The conversation's owner. */
  user: string;
  /** The outside sources of what the call writes. */
  sources?: Source[];
  most: FileLimits;
  now: Date;
  /** Returns the media type that bytes show. Without it, the tool's word is believed. */
  typeOf?: TypeOf;
}

/** The files of one attempt at a call. */
export interface CallFiles extends ToolFiles {
  /** Returns the writes with which the conversation refers to the files of the result: those that it knows, or that the call has written. */
  referencesIn(result: unknown): Promise<RowWrite[]>;
}

export function callFiles(store: FileStore, of: Of): CallFiles {
  const { table, conversationId, user, sources, most, now, typeOf } = of;
  const written = new Set<string>();
  return {
    async read(id) {
      const place = { owner: user, conversationId };
      const row = await readOpenFile(table, place, id).catch(async (error: Error) => {
        if (error.name !== 'NotFound') throw error;
        const ofTask = await readFileOfTask(table, place, id);
        if (ofTask) return ofTask;
        throw new TellModel(
          `${error.message} Use an id that this conversation names. Of another agent's files, a task gives those whose ids it names.`,
        );
      });
      const { mediaType, size } = row;
      return { bytes: await store.read(row.key), mediaType, size };
    },
    async write({ bytes, mediaType, filename }) {
      const file = announcedAs(mediaType, bytes);
      if (written.size >= mostFiles && !written.has(fileIdOf(file.sha256)))
        throw new TellModel(`A call makes at most ${mostFiles} files.`);
      const row = await storeFile({ table, store, typeOf }, user, file, most, now).catch((error: Error) => {
        throw error instanceof LimitReached || error instanceof InvalidInput ? new TellModel(error.message) : error;
      });
      written.add(row.id);
      return { ...partOf(row, filename), ...(sources?.length && { sources }) };
    },
    async referencesIn(result) {
      const ids = filePartsIn(result).flatMap(({ id }) => (written.has(id) ? [id] : []));
      const rows = await Promise.all(ids.map((id) => readFileRow(table, user, id)));
      return rows.flatMap((row) => (row ? referring(user, row, conversationId) : []));
    },
  };
}

/**
 * A schema of a file in a tool's output: what `context.files.write` returns, or the bytes of a file in base64, which an isolated tool
 * returns, and which are stored before anybody reads the result. Where such a file cannot be stored, a text says why.
 *
 * @example
 * ```ts
 * import { fileOutput } from 'vigil';
 *
 * fileOutput.parse({ type: 'file', mediaType: 'text/csv', filename: 'sum.csv', data: 'MSwyLDM=' }).mediaType; // → 'text/csv'
 * ```
 */
export const fileOutput = z.union([FilePart, InlineFile, TextPart]);

/**
 * Returns a schema of a tool's argument that names a file of the conversation by its id. `context.files.read` reads it.
 *
 * @example
 * ```ts
 * import { fileInput } from 'vigil';
 *
 * fileInput('The receipt').safeParse('receipt.jpg').success; // → false
 * ```
 */
export const fileInput = (description: string) =>
  z.string().regex(fileIdPattern).describe(`${description}: the id of a file of this conversation, f_…`);

/**
 * Stores the files in a result whose bytes are in it, and puts references in their place. The tool has run, so a file that cannot be stored
 * is a note in its place, and no failure.
 */
export const withStoredFiles = (value: unknown, files: Pick<ToolFiles, 'write'>): Promise<unknown> =>
  replacedFiles(value, (file) =>
    files.write({ ...file, bytes: Buffer.from(file.data, 'base64') }).catch((error: Error) => {
      if (error.name !== 'TellModel') throw error;
      return withoutFile(file, error.message);
    }),
  );
