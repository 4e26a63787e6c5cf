import type { SendMessage } from '../api-types';
import { fileIdIn } from '../dialects/files';
import { type SentFile, uploadFile } from '../files/upload';
import { apiOf, type Connection } from './api';

/** The content of a message, as the API takes it. */
export type Content = Pick<SendMessage, 'text' | 'parts'>;
export type SentPart = NonNullable<SendMessage['parts']>[number];

/** A file of a message in another library's terms. */
interface GivenFile {
  /** A `data:` or `blob:` URL with the bytes, or the `vigil:` reference of a file that is stored. */
  url: string;
  mediaType?: string;
  filename?: string;
}

/** Returns the content: a text without anything else needs no parts. Empty texts, as forms send them with files, are left out. */
export function contentOf(all: readonly SentPart[]): Content {
  const parts = all.filter((part) => part.type !== 'text' || part.text !== '');
  const [first] = parts;
  if (!first) return { text: '' };
  return parts.length === 1 && first.type === 'text' ? { text: first.text } : { parts };
}

/**
 * Uploads a file, unless the store has it. What was uploaded before is not sent again.
 *
 * @throws Error for a URL of another server, and RequestFailed.
 */
export async function sentFile(
  connection: Connection,
  { url, mediaType, filename }: GivenFile,
  signal?: AbortSignal,
): Promise<SentFile> {
  const stored = fileIdIn(url);
  const name = filename && { filename };
  if (stored) return { type: 'file', id: stored, ...name };
  const blob = await blobAt(url, mediaType, signal);
  const { id } = await uploadFile((aborted) => apiOf(connection, aborted), blob, { signal });
  return { type: 'file', id, ...name };
}

const isFullType = (type: string | undefined) => type !== undefined && /^[^/]+\/[^/*]+$/.test(type);

async function blobAt(url: string, given: string | undefined, signal?: AbortSignal): Promise<Blob> {
  const [, own = '', base64, text = ''] = /^data:([^,]*?)(;base64)?,(.*)$/s.exec(url) ?? [];
  if (url.startsWith('data:')) {
    const type = isFullType(given) ? given : own || 'text/plain';
    const words = base64 ? atob(decodeURIComponent(text)) : decodeURIComponent(text);
    const bytes = base64 ? Uint8Array.from(words, (one) => one.charCodeAt(0)) : words;
    return new Blob([bytes], { type });
  }
  if (url.startsWith('blob:')) return (await fetch(url, { signal })).blob();
  throw new Error('Vigil takes no file by the address of another server: pass the file itself, or a data: URL.');
}
