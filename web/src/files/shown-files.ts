import { type FilePart, filesIn, type Message } from 'vigil-client/shared';
import type { Unsent } from '../kept/unsent';

/** A file of a message, or of anything else in a conversation that has file parts. */
export interface ShownFile extends Pick<FilePart, 'id' | 'mediaType' | 'filename' | 'size'> {
  /** A small picture, until the file's own is loaded. */
  preview?: string;
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
