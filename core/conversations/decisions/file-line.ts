import type { FilePart } from '../../base/content/parts';
import { asString } from './quoted';

/**
 * Tells the model of a file: the id, which tools take, its name, type and size. The name is a JSON string, because whoever has named the file
 * may have written anything.
 */
export const fileLine = ({ id, filename, mediaType, size }: FilePart): string =>
  `[File ${id}: ${filename === undefined ? 'without a name' : asString(filename)}, ${asString(mediaType)}, ${size} bytes]`;

/** Tells the model of a file whose content it is not given, and why. */
export const notShown = ({ id }: Pick<FilePart, 'id'>, why: string): string => `[The file ${id} is not shown: ${why}.]`;

/** Tells the model of a file that it has been given before. */
export const noLongerShown = ({ id, mediaType }: FilePart): string =>
  `[The ${mediaType.startsWith('image/') ? 'picture' : 'file'} ${id} is no longer shown.]`;
