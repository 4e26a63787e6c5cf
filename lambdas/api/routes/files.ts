import * as z from 'zod';
import { FileId, fileIdPattern, mediaTypePattern } from '../../../core/base/content/parts';
import { readOpenFile } from '../../../core/conversations/files/references';
import { storedFile } from '../../../core/conversations/files/stored-file';
import { beginUpload, completeUpload } from '../../../core/conversations/files/upload';
import { readMetaFor } from '../../../core/conversations/members/role';
import { mediaTypeOf } from '../../../runtime/file-type';
import type { App, Deployment } from '../deployment';
import * as example from '../examples';
import { route } from '../route';
import { body, inConversation, json, problem } from '../shapes';

/** An address is used at once; a large file on a slow line needs a while. */
const uploadSeconds = 900;
const downloadSeconds = 300;

const AnnouncedFile = z
  .strictObject({
    size: z.number().int().min(0).openapi({ description: 'In bytes' }),
    mediaType: z
      .string()
      .regex(mediaTypePattern, 'use a media type, such as image/png')
      .transform((type) => type.toLowerCase())
      .openapi({ description: 'Without parameters', example: 'image/png' }),
    sha256: z
      .string()
      .regex(/^[A-Za-z\d+/]{43}=$/, 'use the SHA-256 of the bytes, in base64')
      .openapi({ description: 'The SHA-256 of the bytes, in base64' }),
  })
  .openapi('AnnouncedFile', { examples: [example.announcedFile] });

const UploadAddress = z
  .object({ method: z.literal('PUT'), url: z.string(), headers: z.record(z.string(), z.string()) })
  .openapi('UploadAddress', {
    description: `Where to send the bytes, with all of the headers, within ${uploadSeconds / 60} minutes. Absent if they are stored`,
  });

const UserFile = z
  .object({
    id: FileId,
    mediaType: z.string(),
    size: z.number().int(),
    stored: z.boolean().openapi({ description: 'Whether its bytes are stored, so that messages can refer to it' }),
    upload: UploadAddress.optional(),
  })
  .openapi('UserFile');

const FileAddress = z
  .object({ url: z.string(), expiresAt: z.iso.datetime() })
  .openapi('FileAddress', { description: `An address that serves the bytes for ${downloadSeconds / 60} minutes` });

const inFile = z.object({ fileId: z.string().regex(fileIdPattern).openapi({ description: 'The id of the file' }) });

const begin = route('beginUpload', 'Files', {
  method: 'post',
  path: '/files',
  summary: 'Announces a file, and returns where to upload its bytes. What no message refers to is deleted after a day',
  request: { body: body(AnnouncedFile) },
  responses: { 200: json('The file', UserFile) },
});

const complete = route('completeUpload', 'Files', {
  method: 'post',
  path: '/files/{fileId}/complete',
  summary: 'Checks the uploaded bytes. From then on, messages can refer to the file',
  request: { params: inFile },
  responses: {
    200: json('The file', UserFile),
    409: problem('Its bytes have not arrived'),
  },
});

const address = route('getFile', 'Files', {
  needs: 'watcher',
  method: 'get',
  path: '/conversations/{id}/files/{fileId}',
  summary: 'An address of a file that the conversation refers to',
  request: {
    params: inConversation.extend(inFile.shape),
    query: z.object({
      as: z.enum(['inline', 'attachment']).default('attachment').openapi({
        description: '`inline`: to show it. Only pictures of pixels, audio, video and PDFs are; all else is saved',
      }),
      filename: z.string().max(255).optional().openapi({ description: 'The name to save it under' }),
    }),
  },
  responses: { 200: json('The address', FileAddress) },
});

/**
 * Types in which nothing can reach a page. A browser gives a PDF to its viewer, which is no part of the bucket's origin, and looks for
 * no other type in its bytes: S3 cannot send `nosniff`, but the signed address fixes the type.
 */
const shownInline = /^(?:image\/(?:png|jpeg|gif|webp|avif)|audio\/[\w.+-]+|video\/[\w.+-]+|application\/pdf)$/;

export function fileRoutes(app: App, { table, files, fileLimits }: Deployment): void {
  app.openapi(begin, async (context) => {
    const user = context.get('user');
    const row = await beginUpload({ table, store: files }, user, context.req.valid('json'), fileLimits(), new Date());
    if (row.storedAt) return context.json(shown(row), 200);
    const { url, headers } = await files.uploadAddress(storedFile(row), uploadSeconds);
    context.header('cache-control', 'no-store');
    return context.json({ ...shown(row), upload: { method: 'PUT' as const, url, headers } }, 200);
  });

  app.openapi(complete, async (context) => {
    const { fileId } = context.req.valid('param');
    const at = { table, store: files, typeOf: mediaTypeOf };
    return context.json(shown(await completeUpload(at, context.get('user'), fileId, new Date())), 200);
  });

  app.openapi(address, async (context) => {
    const { id, fileId } = context.req.valid('param');
    const { as, filename } = context.req.valid('query');
    const { owner } = await readMetaFor(table, id, context.get('caller'));
    const row = await readOpenFile(table, { owner, conversationId: id }, fileId);
    const inline = as === 'inline' && shownInline.test(row.mediaType);
    const url = await files.downloadAddress({ ...row, filename }, { inline, expiresInSeconds: downloadSeconds });
    context.header('cache-control', 'no-store');
    return context.json({ url, expiresAt: new Date(Date.now() + downloadSeconds * 1_000).toISOString() }, 200);
  });
}

const shown = ({
  id,
  mediaType,
  size,
  storedAt,
}: {
  id: string;
  mediaType: string;
  size: number;
  storedAt?: string;
}) => ({
  id,
  mediaType,
  size,
  stored: storedAt !== undefined,
});
