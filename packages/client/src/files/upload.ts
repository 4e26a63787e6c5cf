import { untilAnswered } from '../again';
import type { Api } from '../api';
import type { FilePart, SendMessage, UserFile } from '../api-types';
import { mediaTypeOf } from './media-type';
import { putBytes } from './put-bytes';

/** A part of a message that is a file. `filename` is what its user calls it. */
export type SentFile = Pick<FilePart, 'type' | 'id' | 'filename'>;

export interface UploadOptions {
  signal?: AbortSignal;
  /** Told how many bytes of how many are sent. In Node: at the end. */
  onProgress?(sent: number, total: number): void;
  /** The name of a `Blob` that is no `File`. */
  filename?: string;
}

/** The files of a message, which are uploaded first. */
export interface WithFiles {
  /** Files and blobs, or what `upload` has returned. */
  files?: readonly (Blob | SentFile)[];
  /** Told how many bytes of all files are sent. */
  onProgress?: UploadOptions['onProgress'];
}
export type MessageWithFiles = Omit<SendMessage, 'parts'> & WithFiles;

type Files = Pick<Api, 'beginUpload' | 'completeUpload'>;

/** Attempts to send the bytes. Each begins with a new address, because the last one may have expired. */
const attempts = 5;

/**
 * Uploads a file. What is stored already is not sent again, so after a failure the same file can be uploaded again.
 *
 * @throws RequestFailed if it is rejected or does not arrive, and the signal's reason after an abort.
 */
export async function uploadFile(
  withSignal: (signal?: AbortSignal) => Files,
  file: Blob,
  { signal, onProgress, filename = nameOf(file) }: UploadOptions = {},
): Promise<SentFile & Pick<UserFile, 'mediaType' | 'size'>> {
  const bytes = await file.arrayBuffer();
  const { size } = file;
  const announced = {
    size,
    mediaType: mediaTypeOf(file.type, filename),
    sha256: base64Of(await crypto.subtle.digest('SHA-256', bytes)),
  };
  const api = withSignal(signal);
  const begun = await untilAnswered(
    async () => {
      const { upload, ...row } = await untilAnswered(() => api.beginUpload(announced), signal);
      if (upload) await putBytes(upload, file, { signal, onProgress });
      return row;
    },
    signal,
    attempts,
  );
  const { id, mediaType } = await untilAnswered(() => api.completeUpload(begun.id), signal);
  onProgress?.(size, size);
  return { type: 'file', id, mediaType, size, ...(filename && { filename }) };
}

/** Uploads the files of a message, side by side. If one fails, the others end as well. @returns the message as the API takes it. */
export async function withUploads<Body extends Pick<SendMessage, 'text' | 'parts'>>(
  withSignal: (signal?: AbortSignal) => Files,
  { files = [], onProgress, ...message }: Body & WithFiles,
  signal?: AbortSignal,
): Promise<Omit<Body & WithFiles, keyof WithFiles>> {
  if (files.length === 0) return message;
  const sizes = files.map((file) => (file instanceof Blob ? file.size : 0));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const sent = sizes.map(() => 0);
  // React Native has no `AbortSignal.any`.
  const stop = new AbortController();
  const abort = () => stop.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  const uploaded = files.map(async (file, index) => {
    if (!(file instanceof Blob)) return file;
    const report = (bytes: number) => {
      sent[index] = bytes;
      const all = sent.reduce((sum, one) => sum + one, 0);
      onProgress?.(all, total);
    };
    return uploadFile(withSignal, file, { signal: stop.signal, onProgress: report });
  });
  const sentFiles = await Promise.all(uploaded).finally(() => {
    signal?.removeEventListener('abort', abort);
    stop.abort();
  });
  const parts = sentFiles.map(({ id, filename }) => ({ type: 'file' as const, id, filename }));
  const { text } = message;
  return { ...message, text: undefined, parts: [...(text ? [{ type: 'text' as const, text }] : []), ...parts] };
}

const nameOf = (file: Blob): string | undefined => (file as Partial<File>).name;

const base64Of = (bytes: ArrayBuffer): string => btoa(String.fromCharCode(...new Uint8Array(bytes)));
