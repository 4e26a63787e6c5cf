import { addressAfter } from '../address-after';
import { placed } from '../raised-digits';
import { type Archive, attributeOf, type Met } from './archive';

/** The text of a document as it grows, up to a number of characters. */
export class Words {
  private readonly pieces: string[] = [];
  private length = 0;
  private heading = '';
  /** Whether nothing was left out. */
  isWhole = true;

  constructor(readonly most: number) {}

  readonly isFull = (): boolean => this.length >= this.most;

  add(text: string): void {
    if (this.isFull()) {
      this.isWhole &&= text.trim() === '';
      return;
    }
    if (this.heading && text.trim() !== '') {
      this.pieces.push(`\n${this.heading}\n`);
      this.heading = '';
    }
    this.pieces.push(text);
    this.length += text.length;
  }

  /** Begins a part that may turn out to be empty. Then its heading is left out. */
  begin(heading: string): void {
    this.endLine();
    this.heading = heading;
  }

  endLine(): void {
    if (this.pieces.length > 0 && !this.pieces.at(-1)!.endsWith('\n')) this.add('\n');
  }

  toString(): string {
    return (
      this.pieces
        .join('')
        // Where a word may be divided.
        .replaceAll('\u00ad', '')
        .replace(/[^\S\t\n]+/g, ' ')
        .replace(/ \t/g, '\t')
        .replace(/[\t ]+$/gm, '')
        .replace(/\n{3,}/g, '\n\n')
        .replace(/^\n+|\n+$/g, '')
    );
  }
}

/** What is there twice, or not there any more: what older programs show, where moved words were, how letters are read, and what a paragraph was. */
const unread = new Set(['Fallback', 'moveFrom', 'rt', 'pPrChange', 'rPrChange']);

/**
 * Adds the text of a part that has paragraphs: of a document, a slide, notes or comments. Words that are hidden, or white, are text as well.
 *
 * @param met is told what is opened before its text is added.
 */
export async function addParagraphs(archive: Archive, part: string, words: Words, met: Met = {}): Promise<void> {
  let collecting = 0;
  let cells = 0;
  const addresses = await archive.links(part);
  /** Open links and fields, with the words that they show. A field may be a link. */
  const links: { words: string; address?: string }[] = [];
  const fields: { words: string; instruction: string }[] = [];
  let isInstruction = false;
  /** Of a run, as slides have them. */
  let run: { words: string; address?: string } | undefined;
  /** Whether the run stands above or below the line. */
  let place: ((text: string) => string) | undefined;
  const box = formOf(words);
  const endField = () => {
    const field = fields.pop();
    const [, address] = /^\s*HYPERLINK\s+"([^"]+)"/.exec(field?.instruction ?? '') ?? [];
    if (field) words.add(addressAfter(field.words, address));
  };
  const addressOf = (attributes: Record<string, string>) => addresses.get(attributeOf(attributes, 'id') ?? '');
  /** Open elements within what is not read. */
  let skipped = 0;
  const path: string[] = [];
  const isUnread = (name: string, attributes: Record<string, string>): boolean =>
    unread.has(name) || (name === 'fld' && attributes.type === 'slidenum');
  const open = (name: string, attributes: Record<string, string>): void => {
    const parent = path.at(-1);
    path.push(name);
    if (skipped > 0 || isUnread(name, attributes)) {
      skipped += 1;
      return;
    }
    met.open?.(name, attributes);
    if (name === 'hyperlink') links.push({ words: '', address: addressOf(attributes) });
    else if (name === 'r') {
      run = { words: '' };
      place = undefined;
    } else if (name === 'vertAlign' || (name === 'rPr' && attributes.baseline)) {
      place = placed(attributeOf(attributes, name === 'rPr' ? 'baseline' : 'val'));
    } else if (name === 'sym')
      words.add(symbolOf(attributeOf(attributes, 'font') ?? '', attributeOf(attributes, 'char') ?? ''));
    else if (name === 'hlinkClick' && run) run.address = addressOf(attributes);
    else if (name === 'instrText') isInstruction = true;
    else if (name === 'fldSimple') fields.push({ words: '', instruction: attributeOf(attributes, 'instr') ?? '' });
    else if (name === 'fldChar') {
      const what = attributeOf(attributes, 'fldCharType');
      if (what === 'begin') fields.push({ words: '', instruction: '' });
      if (what === 'end') endField();
    }
    if (name === 't' || name === 'text') collecting += 1;
    else if (name === 'tc') cells += 1;
    else if (name === 'tab' && parent !== 'tabs' && parent !== 'tabLst') words.add('\t');
    else if (name === 'br' || name === 'cr') words.add('\n');
    else if (name === 'noBreakHyphen') words.add('-');
    else box.open(name, attributes);
  };
  const close = (name: string): void => {
    path.pop();
    if (skipped > 0) {
      skipped -= 1;
      return;
    }
    if (name === 'hyperlink') {
      const link = links.pop();
      words.add(addressAfter(link?.words ?? '', link?.address));
    } else if (name === 'r' && run) {
      words.add(addressAfter(run.words, run.address));
      run = undefined;
    } else if (name === 'fldSimple') endField();
    else if (name === 'instrText') isInstruction = false;
    if (name === 't' || name === 'text') collecting -= 1;
    else if (name === 'p') words.add(cells > 0 ? ' ' : '\n');
    else if (name === 'tc') {
      cells -= 1;
      words.add('\t');
    } else if (name === 'tr') words.add('\n');
    else box.close(name);
    met.close?.(name);
  };
  const text = (piece: string): void => {
    if (skipped > 0) return;
    if (isInstruction) for (const field of fields.slice(-1)) field.instruction += piece;
    if (collecting === 0) return;
    for (const one of [...links, ...fields, run]) if (one) one.words += piece;
    words.add(place ? place(piece) : piece);
  };
  words.isWhole = (await archive.walk(part, { open, text, close }, words.isFull)) && words.isWhole;
}

/** Adds what is ticked and chosen in the fields of a form of Word that have no words (ECMA-376, part 1, 17.16.7 and 17.16.9). */
function formOf(words: Words): Required<Pick<Met, 'open' | 'close'>> {
  let isTicked: boolean | undefined;
  let choices: string[] | undefined;
  let chosen = 0;
  return {
    open(name, attributes) {
      const value = attributeOf(attributes, 'val');
      if (name === 'checkBox' && attributes['w:val'] === undefined) isTicked = false;
      else if (isTicked !== undefined && (name === 'checked' || name === 'default'))
        isTicked = !/^(?:0|false|off)$/.test(value ?? '1');
      else if (name === 'ddList') [choices, chosen] = [[], 0];
      else if (name === 'result') chosen = Number(value);
      else if (name === 'listEntry') choices?.push(value ?? '');
    },
    close(name) {
      if (name === 'checkBox' && isTicked !== undefined) {
        words.add(isTicked ? '[x]' : '[ ]');
        isTicked = undefined;
      } else if (name === 'ddList') {
        words.add(choices?.[chosen] ?? '');
        choices = undefined;
      }
    },
  };
}

/** Ticks, boxes and bullets of fonts that have pictures in place of letters. */
const symbols: Record<string, Record<string, string>> = {
  wingdings: { '6f': '☐', 71: '☐', a8: '☐', fb: '✗', fc: '✓', fd: '☒', fe: '☑', 78: '☒', e0: '→' },
  'wingdings 2': { 50: '✓', 51: '☒', 52: '☑', 53: '☒', 54: '☒', a3: '☐' },
  symbol: { a3: '≤', b3: '≥', b1: '±', b4: '×', b7: '•', b0: '°', de: '⇒', ae: '→' },
};

/** @param code a number in base 16. Fonts of pictures have theirs from F000 on. */
function symbolOf(font: string, code: string): string {
  const point = Number.parseInt(code, 16);
  if (!(point > 0x20 && point < 0x1_0000)) return '';
  const known = symbols[font.toLowerCase()];
  if (known) return known[(point & 0xff).toString(16)] ?? '';
  return point >= 0xe000 && point < 0xf900 ? '' : String.fromCharCode(point);
}

/** Adds comments, each with its place if it has one. */
export async function addComments(archive: Archive, part: string, words: Words, heading: string): Promise<void> {
  words.begin(heading);
  await addParagraphs(archive, part, words, {
    open(name, attributes) {
      if (!/^(?:comment|threadedComment|cm)$/.test(name)) return;
      words.endLine();
      const by = attributes.ref ?? attributeOf(attributes, 'author');
      if (by) words.add(`${by}: `);
    },
  });
}
