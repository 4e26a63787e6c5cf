import type { SendMessage } from 'vigil-client';
import type { Drafts } from '../hooks/drafts';

/** A file of a message that is not sent yet. Its bytes are not here: they are uploaded at once, and then it has an id. */
export interface DraftFile {
  /** Of this place on the page. The same file may be in a message twice. */
  key: string;
  name: string;
  mediaType: string;
  size: number;
  /** The file's id, once it is stored. */
  id?: string;
  /** A picture of few bytes, in base64: the page's policy shows no others before a message refers to the file. */
  preview?: string;
  /** The reason why it is not uploaded. */
  problem?: string;
}
export type DraftFiles = readonly DraftFile[];

export const noFiles: DraftFiles = [];

/** The API's limit for one message. */
export const mostFiles = 20;

/** Returns the key of the draft that has the files of a message field. */
export const filesPlace = (place: string): string => `${place} files`;

export const filesAt = (drafts: Drafts, place: string): DraftFiles =>
  (drafts.get(filesPlace(place)) as DraftFiles | undefined) ?? noFiles;

export const withFile = (files: DraftFiles, key: string, to: Partial<DraftFile>): DraftFiles =>
  files.map((file) => (file.key === key ? { ...file, ...to } : file));

/** Whether the files can be sent: all, some not yet, or some not as they are. */
export const readiness = (files: DraftFiles): 'ready' | 'uploading' | 'failed' => {
  if (files.some(({ problem }) => problem !== undefined)) return 'failed';
  return files.every(({ id }) => id !== undefined) ? 'ready' : 'uploading';
};

/** Returns a message as the API takes it. */
export function contentOf(text: string, files: DraftFiles = noFiles): Pick<SendMessage, 'text' | 'parts'> {
  if (files.length === 0) return { text };
  const parts = files.flatMap(({ id, name }) => (id ? [{ type: 'file' as const, id, filename: name }] : []));
  return { parts: [...(text ? [{ type: 'text' as const, text }] : []), ...parts] };
}
