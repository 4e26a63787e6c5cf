import { RequestFailed } from 'vigil-client';
import { unseen } from 'vigil-client/shared';
import { t } from '../languages/catalogue';
import { locale } from '../languages/locale';
import { wordsOf } from '../words/problem-words';
import type { DraftFiles } from './draft-files';

export type FileKind = 'picture' | 'sound' | 'video' | 'pdf' | 'other';

/** What the page does with a file: shows it, plays it, or only saves it. SVG and HTML are never shown. */
export function kindOf(mediaType: string): FileKind {
  if (/^image\/(?:png|jpeg|gif|webp|avif)$/.test(mediaType)) return 'picture';
  if (/^video\/(?:mp4|webm|ogg)$/.test(mediaType)) return 'video';
  if (mediaType === 'application/pdf') return 'pdf';
  return /^audio\/[\w.+-]+$/.test(mediaType) ? 'sound' : 'other';
}

const hidden = new RegExp(unseen, 'gu');

/** Returns a file's name so that it can be read: a mark of direction in it would show another ending than it has. */
export const seenName = (name: string | undefined): string =>
  name?.replace(hidden, '\ufffd') || t('file without a name');

/** Returns the two parts of a name, so that a long one is cut before its ending. */
export function nameParts(name: string): [string, string] {
  const at = name.lastIndexOf('.');
  return at > 0 && name.length - at <= 8 ? [name.slice(0, at), name.slice(at)] : [name, ''];
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** "1.2 MB", in the units of file managers, as the client's `bytesWords` writes it in English. */
export function sizeWords(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // What would be rounded to 1,000 has the next unit.
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return value.toLocaleString(locale(), {
    style: 'unit',
    unit: units[unit],
    unitDisplay: unit === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 9.95 ? 1 : 0,
  });
}

/** Returns the reason of a failed upload in words. The API counts bytes. */
export function uploadProblem(error: unknown): string {
  if (error instanceof DOMException)
    return t('The file cannot be read. It may be a folder, or it was moved, changed or deleted.');
  const fields = error instanceof RequestFailed ? error.errors?.map(({ message }) => message).join('; ') : undefined;
  const words = (fields || wordsOf(error)).replace(/\b(\d{5,})(?: bytes)?\b/g, (_, bytes) => sizeWords(Number(bytes)));
  const sentence = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** What a screen reader hears of the files of a message: how many there are still to come, and what failed. */
export function filesHeard(files: DraftFiles): string {
  if (files.length === 0) return '';
  const coming = files.filter(({ id, problem }) => id === undefined && problem === undefined).length;
  const failed = files.filter(({ problem }) => problem !== undefined);
  const attached = files.length - coming - failed.length;
  return [
    coming > 0 && t('{count, plural, one {Uploading # file.} other {Uploading # files.}}', { count: coming }),
    attached > 0 && t('{count, plural, one {# file attached.} other {# files attached.}}', { count: attached }),
    ...failed.map(({ name, problem }) => t('{name} was not uploaded: {problem}', { name: seenName(name), problem })),
  ]
    .filter(Boolean)
    .join(' ');
}
