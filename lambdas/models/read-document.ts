import { Parser } from 'htmlparser2';
import { getDocumentProxy } from 'unpdf';
import { clip } from '../../core/base/text/clip';
import { serveJob } from '../../runtime/child-job';
import { decoded } from './decoded';
import { isZip, readZipped, unreadable } from './office/read-office';

/**
 * The code of the child process that reads a document (`document-text.ts`): a separate file in CallModel's folder, because it is 1.5 MB and
 * few deployments need it. Whatever a document does to it, only the child dies.
 */

export interface DocumentToRead {
  kind: 'pdf' | 'html' | 'office';
  bytes: Uint8Array;
  /** The text is read up to here. */
  characters: number;
}

/** `text` is up to a page or an element longer than asked. */
export type ReadDocument = { text: string; pages?: number; isWhole: boolean } | { problem: string };

/** Compressed parts are unpacked into one array each, twice as large each time. One that needs more is not of a document that somebody reads. */
const mostBytesOfArray = 24 * 1_048_576;
/** A document with so many pages without words has only pictures of them. */
const mostPagesRead = 500;

/** Refuses large arrays. With the platform's own decompression, no array would be as large as what is unpacked. */
function boundArrays(): void {
  const construct = (target: Uint8ArrayConstructor, [first, ...rest]: [number, ...never[]], by: never) => {
    if (typeof first === 'number' && first > mostBytesOfArray) throw new RangeError('An array is too large.');
    return Reflect.construct(target, [first, ...rest], by);
  };
  globalThis.Uint8Array = new Proxy(Uint8Array, { construct: construct as never });
  Reflect.deleteProperty(globalThis, 'DecompressionStream');
}

const readers: Record<DocumentToRead['kind'], (bytes: Uint8Array, characters: number) => Promise<ReadDocument>> = {
  pdf: readPdf,
  html: async (bytes, characters) => readHtml(decoded(bytes, false), characters),
  office: readOffice,
};

async function read({ kind, bytes, characters }: DocumentToRead): Promise<ReadDocument> {
  try {
    return await readers[kind](bytes, characters);
  } catch (error) {
    return { problem: problemOf(error as Error) };
  }
}

/** Programs also give these types to text with separators and to HTML, because a program of Office opens them. */
async function readOffice(bytes: Uint8Array, characters: number): Promise<ReadDocument> {
  if (isZip(bytes)) return readZipped(bytes, characters);
  const answer = unreadable(bytes);
  if (answer) return answer;
  const text = decoded(bytes, true);
  if (text.includes('\0')) throw new Error('The document is of no known format.');
  return /^\s*</.test(text)
    ? readHtml(text, characters)
    : { text: clip(text, { characters }), isWhole: text.length <= characters };
}

async function readPdf(bytes: Uint8Array, characters: number): Promise<ReadDocument> {
  // No code of a font or a form is run, nothing is fetched, and nothing is printed.
  const options = {
    isEvalSupported: false,
    verbosity: 0,
    disableFontFace: true,
    useSystemFonts: false,
    enableXfa: false,
  };
  const document = await getDocumentProxy(bytes, options);
  const texts: string[] = [];
  let length = 0;
  let number = 0;
  while (number < Math.min(document.numPages, mostPagesRead) && length < characters) {
    const page = await document.getPage(++number);
    const { items } = await page.getTextContent();
    const text = items
      .map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
      .join('')
      .trim();
    texts.push(text);
    length += text.length;
    page.cleanup();
  }
  return { text: texts.filter(Boolean).join('\n\n'), pages: document.numPages, isWhole: number === document.numPages };
}

const unseen = new Set(['script', 'style', 'noscript', 'template', 'svg', 'head', 'iframe', 'object']);
const inline = new Set('a abbr b bdi cite code em i kbd mark q s small span strong sub sup u'.split(' '));

function readHtml(html: string, characters: number): ReadDocument {
  let text = '';
  let depth = 0;
  /** The depth of the element that is not shown, with all that is in it. */
  let hidden = 0;
  const parser = new Parser({
    onopentag(name, { hidden: isHidden, 'aria-hidden': ariaHidden }) {
      depth += 1;
      if (!hidden && (unseen.has(name) || isHidden !== undefined || ariaHidden === 'true')) hidden = depth;
      if (name === 'td' || name === 'th') text += ' ';
      else if (!inline.has(name)) text += '\n';
    },
    ontext(piece) {
      if (!hidden && text.length < characters * 2) text += piece;
    },
    onclosetag(name) {
      if (hidden === depth) hidden = 0;
      depth -= 1;
      if (!inline.has(name) && name !== 'td' && name !== 'th') text += '\n';
    },
  });
  parser.end(html);
  const tidy = text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return { text: tidy, isWhole: true };
}

/** The words of the library may quote the document, so they are not told. */
const problemOf = ({ name }: Error): string => problems[name] ?? 'it is damaged';
const problems: Record<string, string> = {
  PasswordException: 'it is protected by a password',
  TooLarge: 'it is too large to read when it is unpacked',
};

boundArrays();
serveJob('read_document', read);
