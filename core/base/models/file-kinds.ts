import { officeTypes } from 'vigil-client/shared';
import type { FilePart } from '../content/parts';
import { charactersPerToken, type TakenKind } from './models';

/** What a model gets of a file: itself, its text, or a line that says why not. */
export type FileKind = TakenKind | 'text' | 'html' | 'mail' | 'office' | 'other';

/** The pictures that all providers take. */
const pictures = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
const texts =
  /^(?:text\/.+|application\/(?:json|csv|x-ndjson|jsonl|xml|yaml|x-yaml|toml|sql|javascript|typescript|x-sh|graphql)|.+\+(?:json|xml|yaml))$/;
const office =
  /^(?:application\/(?:msword|rtf|x-cfb|vnd\.(?:ms-(?:word|excel|powerpoint)|openxmlformats-officedocument\.|oasis\.opendocument\.).*)|text\/rtf)$/;

/** Returns the type without its parameters, such as a charset. */
const plainType = (mediaType: string): string => mediaType.split(';')[0]!.trim().toLowerCase();

export function fileKind(mediaType: string): FileKind {
  const type = plainType(mediaType);
  if (pictures.includes(type)) return 'image';
  if (type === 'application/pdf') return 'pdf';
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  if (type === 'message/rfc822') return 'mail';
  if (office.test(type)) return 'office';
  return texts.test(type) ? 'text' : 'other';
}

/** Whether a model can be told what a file says. */
export const hasText = (mediaType: string): boolean => !['image', 'other'].includes(fileKind(mediaType));

/** What a browser says of a file of which it knows nothing. */
const anyBytes = 'application/octet-stream';

/** Types that are shown or sent to models as what they are. Their bytes begin with a mark. */
const marked = /^(?:image\/(?:png|jpeg|gif|webp|avif)|application\/pdf)$/;

/** Whether a type says of text what it is, so that text without a mark may be of it. */
const isTextual = (type: string): boolean => ['text', 'html', 'mail'].includes(fileKind(type));

/** Marks that other types have as well, which say more: containers, and second names. */
const sharedMarks: Record<string, RegExp> = {
  'application/zip': /^application\/(?:vnd\.|x-zip|epub)/,
  'application/x-cfb': /^application\/(?:vnd\.ms-|msword)/,
  [officeTypes.docx]: /^application\/vnd\.ms-word\./,
  [officeTypes.xlsx]: /^application\/vnd\.ms-excel\./,
  [officeTypes.pptx]: /^application\/vnd\.ms-powerpoint\./,
  'audio/wav': /^audio\/(?:x-wav|vnd\.wave|wave)$/,
  'audio/mpeg': /^audio\/mp3$/,
  'video/mp4': /^audio\/(?:mp4|x-m4a)$/,
  'video/webm': /^audio\/webm$/,
  'audio/ogg': /^(?:audio\/|video\/ogg)/,
};

/** Text has these marks, and may be of a type that says more. */
const marksOfText = /^(?:text\/(?!rtf)|application\/xml$|.+\+xml$)/;

/** What bytes show without their name. */
export interface ShownType {
  /** The type whose mark they begin with. */
  mark?: string;
  /** Whether they are text, in any encoding. */
  isText: boolean;
}

/** Returns what a file is: what its bytes show. What is said of it counts where they show no more than that it is text, or a container. */
export function typeOfFile({ mark, isText }: ShownType, said: string): string {
  if (mark && (said === mark || sharedMarks[mark]?.test(said))) return said;
  if (isText && isTextual(said) && (!mark || marksOfText.test(mark))) return said;
  if (mark) return mark;
  if (isText) return 'text/plain';
  return marked.test(said) || isTextual(said) ? anyBytes : said;
}

/** Whether another announcement says more of a stored file than is known of it: of bytes of any type, of text, or of what is in a container. */
export function isNamedBy(known: string, said: string): boolean {
  const isUnmarked = known === anyBytes || known === 'text/plain';
  return typeOfFile({ isText: known === 'text/plain', ...(!isUnmarked && { mark: known }) }, said) !== known;
}

/** The characters of a document that a model reads, at most. */
export const mostDocumentCharacters = 50_000;

/** Claude’s for a picture that it does not scale down. OpenAI’s models need fewer for most pictures. */
const tokensOfPicture = 1_600;
/** Anthropic says 1,500 to 3,000 for the text of a page, and each page is a picture as well. */
const tokensOfPage = 3_000;
/** Pages of text have less, scanned ones more. */
const bytesOfPage = 100_000;
const mostPages = 100;
const tokensOfNote = 40;

/**
 * Estimates the tokens of a file from its media type and size, before anybody has read it.
 *
 * @param takes the kinds of files that the model takes: see `takesOf`.
 */
export function fileTokens(
  { mediaType, size }: Pick<FilePart, 'mediaType' | 'size'>,
  takes: readonly TakenKind[],
): number {
  const kind = fileKind(mediaType);
  if (kind === 'other') return tokensOfNote;
  if (kind === 'image') return takes.includes('image') ? tokensOfPicture : tokensOfNote;
  if (kind === 'pdf' && takes.includes('pdf'))
    return Math.min(mostPages, Math.max(1, Math.ceil(size / bytesOfPage))) * tokensOfPage;
  return tokensOfNote + Math.ceil(Math.min(size, mostDocumentCharacters) / charactersPerToken);
}
