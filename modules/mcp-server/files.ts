import type { CallToolResult, ReadResourceResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { type FilePart, mediaTypePattern } from '../../core/base/content/parts';
import type { FileStore } from '../../core/conversations/files/file-store';
import { readOpenFile, type SentPart } from '../../core/conversations/files/references';
import type { FileLimits } from '../../core/conversations/files/sums';
import { announcedAs, storeFile } from '../../core/conversations/files/upload';
import { readMetaFor } from '../../core/conversations/members/role';
import type { Table } from '../../core/conversations/store/table';
import { BadRequest } from '../../lambdas/problems';
import { mediaTypeOf } from '../../runtime/file-type';

export interface Filing {
  table: Table;
  files: FileStore;
  fileLimits(): FileLimits;
}

/** A Lambda takes 6 MB as its event, and base64 is a third longer than the bytes. */
export const bodyBytes = 4_500_000;
/** A Lambda returns 6 MB. */
const readBytes = 4_000_000;
/** Of pictures in a result, for models that see. Others are links. */
const pictureBytes = 300_000;
const picturesBytes = 1_500_000;

/** The `files` of a message. */
export const GivenFiles = z
  .array(
    z.strictObject({
      data: z.base64().min(1).describe('The bytes, in base64'),
      mimeType: z.string().regex(mediaTypePattern, 'use a media type, such as image/png').toLowerCase(),
      name: z.string().min(1).max(255).optional().describe('What its user calls the file'),
    }),
  )
  .min(1)
  .max(5)
  .describe(`Files for the agent, at most about ${bodyBytes / 1_500_000} MB together`);
export type GivenFiles = z.infer<typeof GivenFiles>;

/** Stores files of the user. Repeated, it stores nothing else: the same bytes are the same file. @throws BadRequest naming the file. */
export async function storeFiles({ table, files: store, fileLimits }: Filing, user: string, given: GivenFiles) {
  const parts: SentPart[] = [];
  for (const [index, { data, mimeType: mediaType, name }] of given.entries()) {
    const bytes = Buffer.from(data, 'base64');
    try {
      const at = { table, store, typeOf: mediaTypeOf };
      const { id } = await storeFile(at, user, announcedAs(mediaType, bytes), fileLimits(), new Date());
      parts.push({ type: 'file', id, ...(name && { filename: name }) });
    } catch (error) {
      const { name: kind, message } = error as Error;
      throw kind === 'InvalidInput' ? new BadRequest([{ path: `files.${index}`, message }]) : error;
    }
  }
  return parts;
}

const scheme = 'vigil://conversations/';
export const uriTemplate = `${scheme}{conversation}/files/{file}`;
export const uriOf = (conversation: string, file: string): string => `${scheme}${conversation}/files/${file}`;

const placeIn = (uri: string) => {
  const [, conversation, file] = /^vigil:\/\/conversations\/([\w-]{1,64})\/files\/(f_[\w-]{43})$/.exec(uri) ?? [];
  return conversation && file ? { conversation, file } : undefined;
};

/** Reads a file of a conversation of the user. @throws NotFound, and BadRequest if it is too large for an answer. */
export async function readResource({ table, files }: Filing, user: string, uri: string): Promise<ReadResourceResult> {
  const place = placeIn(uri);
  if (!place) throw new BadRequest([{ path: 'uri', message: `use one of the form ${uriTemplate}` }]);
  const { owner } = await readMetaFor(table, place.conversation, user);
  const row = await readOpenFile(table, { owner, conversationId: place.conversation }, place.file);
  if (row.size > readBytes)
    throw new BadRequest([
      {
        path: 'uri',
        message: `the file has ${row.size} bytes, and an answer at most ${readBytes}: open it on the page`,
      },
    ]);
  const blob = Buffer.from(await files.read(row.key)).toString('base64');
  return { contents: [{ uri, mimeType: row.mediaType, blob }] };
}

function ignoreMissing(error: Error): undefined {
  if (error.name !== 'NotFound') throw error;
}

/** Pictures that clients show. */
const shown = /^image\/(?:png|jpeg|gif|webp)$/;

/** Returns the files of a result: small pictures themselves, others as links, which `resources/read` reads. */
export async function contentOfFiles(
  { table, files }: Filing,
  owner: string,
  conversation: string,
  all: readonly FilePart[],
): Promise<CallToolResult['content']> {
  let left = picturesBytes;
  const content: CallToolResult['content'] = [];
  for (const { id, mediaType, filename, size } of all) {
    if (shown.test(mediaType) && size <= Math.min(pictureBytes, left)) {
      const row = await readOpenFile(table, { owner, conversationId: conversation }, id).catch(() => undefined);
      // A result may say another size, and a restored table may name what is gone.
      const bytes = row?.size === size ? await files.read(row.key).catch(ignoreMissing) : undefined;
      if (row && bytes) {
        left -= size;
        content.push({ type: 'image', data: Buffer.from(bytes).toString('base64'), mimeType: row.mediaType });
      }
    }
    const link = { uri: uriOf(conversation, id), name: filename ?? id, mimeType: mediaType, size };
    content.push({ type: 'resource_link', ...link });
  }
  return content;
}
