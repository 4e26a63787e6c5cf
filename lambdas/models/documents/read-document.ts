import { oneLine } from 'vigil-client/shared';
import { fileKind } from '../../../core/base/models/file-kinds';
import { clip } from '../../../core/base/text/clip';
import { decodeText } from '../../../core/base/text/decode-text';
import { type DecodedText, withLetters, wordsAbout } from '../../../core/base/text/unicode-text';
import { serveJob } from '../../../runtime/child-job';
import { isZip, readZipped, unreadable } from './office/read-office';
import type { PagePicture } from './page-pictures';
import { readHtml } from './read-html';
import { parseMail } from './read-mail';
import { readPdf } from './read-pdf';

/**
 * The code of the child process that reads a document (`document-text.ts`): a separate file in CallModel's folder, because it is 2 MB and
 * few deployments need it. Whatever a document does to it, only the child dies.
 */

export interface DocumentToRead {
  kind: 'pdf' | 'html' | 'mail' | 'office' | 'text';
  bytes: Uint8Array;
  /** The text is read up to here. */
  characters: number;
  /** Whether pages of a PDF that have no text are wanted as pictures. */
  pictured?: boolean;
}

/** `text` is up to a page or an element longer than asked. `told`: what was guessed, and what could not be read, each in a few words. */
export type ReadDocument =
  | {
      text: string;
      pages?: number;
      isWhole: boolean;
      told?: readonly string[];
      pictures?: readonly PagePicture[];
    }
  | { problem: string };

/** Compressed parts are unpacked into one array each, twice as large each time. One that needs more is not of a document that somebody reads. */
const mostBytesOfArray = 24 * 1_048_576;

/** Refuses large arrays. With the platform's own decompression, no array would be as large as what is unpacked. */
function boundArrays(): void {
  const construct = (target: Uint8ArrayConstructor, [first, ...rest]: [number, ...never[]], by: never) => {
    if (typeof first === 'number' && first > mostBytesOfArray) throw new RangeError('An array is too large.');
    return Reflect.construct(target, [first, ...rest], by);
  };
  globalThis.Uint8Array = new Proxy(Uint8Array, { construct: construct as never });
  Reflect.deleteProperty(globalThis, 'DecompressionStream');
}

const readers: Record<
  DocumentToRead['kind'],
  (bytes: Uint8Array, characters: number, pictured?: boolean) => Promise<ReadDocument>
> = {
  pdf: readPdf,
  html: async (bytes, characters) => readPage(decodeText(bytes, false), characters),
  mail: (bytes, characters) => readMail(bytes, characters),
  office: readOffice,
  text: async (bytes, characters) => readPlain(decodeText(bytes, false), characters),
};

const readPage = (page: DecodedText, characters: number): ReadDocument => told(page, readHtml(page.text, characters));
const readPlain = (plain: DecodedText, characters: number): ReadDocument =>
  told(plain, { text: clip(plain.text, { characters }), isWhole: plain.text.length <= characters });
const told = (decoded: DecodedText, read: { text: string; isWhole: boolean }): ReadDocument => {
  const words = wordsAbout(decoded);
  return { ...read, ...(words.length > 0 && { told: words }) };
};

/** Reads a document. It never throws. */
export async function read({ kind, bytes, characters, pictured }: DocumentToRead): Promise<ReadDocument> {
  try {
    return await readers[kind](bytes, characters, pictured);
  } catch (error) {
    return { problem: problemOf(error as Error) };
  }
}

/** Programs also give these types to text with separators and to HTML, because a program of Office opens them. */
async function readOffice(bytes: Uint8Array, characters: number): Promise<ReadDocument> {
  if (isZip(bytes)) return readZipped(bytes, characters);
  const answer = unreadable(bytes);
  if (answer) return answer;
  const plain = decodeText(bytes, true);
  if (plain.text.includes('\0')) throw new Error('The document is of no known format.');
  return /^\s*</.test(plain.text) ? readPage(plain, characters) : readPlain(plain, characters);
}

/** A part of a mail may be a mail. */
const mostMailsInside = 5;

async function readMail(bytes: Uint8Array, characters: number, inside = 0): Promise<ReadDocument> {
  const { heading, text, html, parts } = await parseMail(bytes);
  const body = html === undefined ? { text: text ?? '', isWhole: true } : readHtml(html, characters);
  let words = `${heading}\n${body.text.trim()}\n`;
  let { isWhole } = body;
  const told: string[] = [];
  for (const { filename, mediaType, bytes: content } of parts) {
    words += `\n[Attached: ${oneLine(filename)}, ${mediaType}, ${content.byteLength} bytes]\n`;
    const kind = fileKind(mediaType);
    if (words.length >= characters) isWhole = false;
    else if (kind === 'other' || kind === 'image')
      told.push(`nothing of the attachment ${JSON.stringify(oneLine(filename))}`);
    else {
      const left = characters - words.length;
      const part =
        kind === 'mail' && inside < mostMailsInside
          ? await readMail(content, left, inside + 1)
          : await read({ kind: kind === 'mail' ? 'text' : kind, bytes: content, characters: left });
      words += 'problem' in part ? `[It was not read: ${part.problem}]\n` : `${part.text}\n`;
      if (!('problem' in part)) isWhole &&= part.isWhole;
    }
  }
  return { text: words.trim(), isWhole, ...(told.length > 0 && { told }) };
}

/** The words of the library may quote the document, so they are not told. */
const problemOf = ({ name }: Error): string => problems[name] ?? 'it is damaged';
const problems: Record<string, string> = {
  PasswordException: 'it is protected by a password',
  TooLarge: 'it is too large to read when it is unpacked',
};

/** Libraries decode what mails and pages declare. */
function mendDecoder(): void {
  const Decoder = globalThis.TextDecoder;
  globalThis.TextDecoder = class extends Decoder {
    override decode(...given: Parameters<TextDecoder['decode']>): string {
      return withLetters(super.decode(...given), this.encoding);
    }
  };
}

boundArrays();
mendDecoder();
serveJob('read_document', read);
