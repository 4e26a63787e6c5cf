import type { FilePart } from '../content/parts';
import { charactersPerToken, type TakenKind } from './models';

/** What a model gets of a file: itself, its text, or a line that says why not. */
export type FileKind = TakenKind | 'text' | 'html' | 'office' | 'other';

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
  if (office.test(type)) return 'office';
  return texts.test(type) ? 'text' : 'other';
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
