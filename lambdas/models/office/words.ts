import type { Archive, Met } from './archive';
import { attributeOf } from './archive';

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
    return this.pieces
      .join('')
      .replace(/[^\S\t\n]+/g, ' ')
      .replace(/ \t/g, '\t')
      .replace(/[\t ]+$/gm, '')
      .replace(/\n{3,}/g, '\n\n')
      .replace(/^\n+|\n+$/g, '');
  }
}

/** What is there twice, or not there any more: what older programs show, and where moved words were. */
const unread = new Set(['Fallback', 'moveFrom']);

/**
 * Adds the text of a part that has paragraphs: of a document, a slide, notes or comments. Words that are hidden, or white, are text as well.
 *
 * @param met is told what is opened before its text is added.
 */
export async function addParagraphs(archive: Archive, part: string, words: Words, met: Met = {}): Promise<void> {
  let collecting = 0;
  let cells = 0;
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
    if (name === 't' || name === 'text') collecting += 1;
    else if (name === 'tc') cells += 1;
    else if (name === 'tab' && parent !== 'tabs' && parent !== 'tabLst') words.add('\t');
    else if (name === 'br' || name === 'cr') words.add('\n');
    else if (name === 'noBreakHyphen') words.add('-');
  };
  const close = (name: string): void => {
    path.pop();
    if (skipped > 0) {
      skipped -= 1;
      return;
    }
    if (name === 't' || name === 'text') collecting -= 1;
    else if (name === 'p') words.add(cells > 0 ? ' ' : '\n');
    else if (name === 'tc') {
      cells -= 1;
      words.add('\t');
    } else if (name === 'tr') words.add('\n');
    met.close?.(name);
  };
  const text = (piece: string): void => {
    if (collecting > 0 && skipped === 0) words.add(piece);
  };
  words.isWhole = (await archive.walk(part, { open, text, close }, words.isFull)) && words.isWhole;
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
