import type { FilePart, Message } from 'vigil-client/shared';
import type { Unsent } from '../kept/unsent';

/** A file of a message, or of anything else in a conversation that has file parts. */
export interface ShownFile extends Pick<FilePart, 'id' | 'mediaType' | 'filename' | 'size'> {
  /** A small picture, until the file's own is loaded. */
  preview?: string;
}

const isFile = (value: object): value is FilePart => {
  const { type, id, mediaType, size } = value as Partial<FilePart>;
  return (
    type === 'file' && /^f_[\w-]{43}$/.test(String(id)) && typeof mediaType === 'string' && typeof size === 'number'
  );
};

/** Returns the files anywhere in a value: parts of a message, or of a tool's result. Each once. */
export function filesIn(value: unknown): ShownFile[] {
  const found = new Map<string, ShownFile>();
  const look = (at: unknown): void => {
    if (typeof at !== 'object' || at === null) return;
    if (isFile(at)) found.set(`${at.id} ${at.filename}`, at);
    else for (const inside of Object.values(at)) look(inside);
  };
  look(value);
  return [...found.values()];
}

/** The small pictures of files that were sent from here. */
const previews = new Map<string, string>();
const mostPreviews = 100;

/** Returns the files of a message, before it is stored and afterwards. */
export function filesOfMessage(message: Pick<Message, 'parts'> | undefined, unsent?: Unsent): ShownFile[] {
  if (message) return filesIn(message.parts).map((file) => ({ ...file, preview: previews.get(file.id) }));
  return (unsent?.files ?? []).flatMap(({ id, name, mediaType, size, preview }) => {
    if (id === undefined) return [];
    if (preview && previews.size < mostPreviews) previews.set(id, preview);
    return [{ id, mediaType, filename: name, size, preview }];
  });
}
