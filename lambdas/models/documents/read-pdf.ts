import { getDocumentProxy } from 'unpdf';
import { mostPictures, type PagePicture, pictureOfPage } from './page-pictures';
import { type Piece, piecesOf } from './pdf-lines';

/** A document with so many pages without words has only pictures of them. */
const mostPagesRead = 500;

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>['getPage']>>;

/** What a form or a reader has put upon a page: see ISO 32000-2, 12.5. */
interface Annotation {
  subtype: string;
  rect: number[];
  hidden?: boolean;
  fieldType?: string;
  fieldValue?: string | string[] | null;
  exportValue?: string;
  buttonValue?: string;
  checkBox?: boolean;
  radioButton?: boolean;
  password?: boolean;
  contentsObj?: { str: string };
  url?: string;
}

/**
 * Reads the words of a PDF, with the values of its forms, ticked boxes and notes in their places.
 *
 * @param pictured whether pages without words are wanted as pictures.
 * @returns `told`: of which pages nothing was read.
 */
export async function readPdf(bytes: Uint8Array, characters: number, pictured = false) {
  // No code of a font or a form is run, nothing is fetched, and nothing is printed.
  const options = {
    isEvalSupported: false,
    verbosity: 0,
    disableFontFace: true,
    useSystemFonts: false,
    enableXfa: false,
  };
  mendLetters();
  const document = await getDocumentProxy(bytes, options);
  const texts: string[] = [];
  const empty: number[] = [];
  const pictures: PagePicture[] = [];
  let length = 0;
  let number = 0;
  while (number < Math.min(document.numPages, mostPagesRead) && length < characters) {
    const page = await document.getPage(++number);
    const text = await textOfPage(page);
    const picture =
      text || !pictured || pictures.length >= mostPictures
        ? undefined
        : await pictureOfPage(document, number).catch(() => undefined);
    if (text) texts.push(text);
    else if (picture) pictures.push(picture);
    else empty.push(number);
    length += text.length;
    page.cleanup();
  }
  const isSomething = texts.length + pictures.length > 0;
  const told = isSomething && empty.length > 0 && [`no text, or only a picture of it, on ${pagesOf(empty)}`];
  return {
    text: texts.join('\n\n'),
    pages: document.numPages,
    isWhole: number === document.numPages,
    ...(told && { told }),
    ...(pictures.length > 0 && { pictures }),
  };
}

const { fromCodePoint } = String;
const rightToLeft = /^[\u0590-\u08ff]+$/;

/**
 * Has the library turn Arabic as it turns Hebrew. It does not know the forms of letters within a word (U+FB50 to U+FEFC), which the fonts of
 * Chromium have, and turns the two letters of one glyph as well.
 */
function mendLetters(): void {
  String.fromCodePoint = (...codes) => {
    const text = fromCodePoint(...codes);
    if (!/[\u0590-\u08ff\ufb1d-\ufefc]/.test(text)) return text;
    const plain = text.normalize('NFKC');
    return rightToLeft.test(plain) ? [...plain].reverse().join('') : plain;
  };
}

/** @example pagesOf([1, 2, 3, 7]) // 'pages 1 to 3, 7' */
function pagesOf(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  const words = ranges.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`));
  return `${numbers.length === 1 ? 'page' : 'pages'} ${words.slice(0, 20).join(', ')}${words.length > 20 ? ', …' : ''}`;
}

async function textOfPage(page: Page): Promise<string> {
  const { items } = await page.getTextContent();
  const pieces = piecesOf(items.flatMap((item) => ('str' in item ? item : [])));
  const annotations = (await page.getAnnotations().catch(() => [])) as Annotation[];
  for (const annotation of annotations) {
    const words = annotation.hidden ? '' : wordsOf(annotation);
    if (words) insert(pieces, words, annotation.rect);
  }
  return pieces
    .map(({ words }) => words)
    .join('')
    .replace(/ +$/gm, '')
    .trim();
}

function wordsOf({ subtype, ...annotation }: Annotation): string {
  const { fieldType, fieldValue, contentsObj } = annotation;
  if (subtype === 'Widget') {
    if (annotation.password) return '';
    if (annotation.checkBox) return fieldValue && fieldValue !== 'Off' ? '[x]' : '[ ]';
    if (annotation.radioButton) return fieldValue && fieldValue === annotation.buttonValue ? '[x]' : '[ ]';
    return fieldType === 'Tx' || fieldType === 'Ch' ? [fieldValue ?? []].flat().join(', ') : '';
  }
  const words = contentsObj?.str.trim() ?? '';
  if (subtype === 'FreeText') return words;
  // Others mark a place; a popup repeats the words of its note.
  return words && subtype !== 'Popup' && subtype !== 'Link' ? `[Note: ${words}]` : '';
}

/** Inserts words after those that are before them as a person reads: above, or to the left on the same line. */
function insert(pieces: Piece[], words: string, [left = 0, bottom = 0, , top = 0]: number[]): void {
  const [low, high] = [Math.min(bottom, top), Math.max(bottom, top)];
  const height = Math.min(high - low, 20);
  const isBefore = ({ x, y }: Piece) => y > high + 1 || (y > high - height - 4 && x < left);
  const at = pieces.findLastIndex((piece) => piece.words.trim() !== '' && isBefore(piece));
  const next = pieces[at + 1];
  const before = at >= 0 && !/\s$/.test(pieces[at]!.words) && Math.abs(pieces[at]!.y - low) > height + 4 ? '\n' : ' ';
  const isLine = at < 0 || (next !== undefined && Math.abs(next.y - high) > height + 4);
  pieces.splice(at + 1, 0, {
    words: `${at < 0 ? '' : before}${words}${isLine ? '\n' : ' '}`,
    x: left,
    y: high - height / 2,
  });
}
