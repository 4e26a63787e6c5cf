import { oneLine } from 'vigil-client/shared';
import { addressAfter } from '../address-after';
import type { placed } from '../raised-digits';
import { type Archive, attributeOf } from './archive';
import { shownNumber } from './cell-formats';
import { OpenLists } from './open-lists';
import { OpenStyles } from './open-styles';
import type { Words } from './words';

/** Whether it needs a password: its manifest is readable, its parts are not. */
export async function isEncrypted(archive: Archive): Promise<boolean> {
  let found = false;
  const open = (name: string) => {
    found ||= name === 'encryption-data';
  };
  await archive.walk('META-INF/manifest.xml', { open }, () => found);
  return found;
}

/** So many empty cells are written: sheets end in a million of them. */
const mostEmpty = 100;

/** Adds the text of a document, a table or slides of OpenDocument, in one pass, and then of headers and footers. */
export async function addOpenDocument(archive: Archive, words: Words): Promise<void> {
  const styles = await OpenStyles.of(archive);
  await addPart(archive, 'content.xml', words, styles, false);
  await addPart(archive, 'styles.xml', words, styles, true);
}

/** Words that were deleted, the numbers of pages and notes, which a program writes, and how letters are read. */
const unread = new Set(['tracked-changes', 'page-number', 'note-citation', 'ruby-text']);
/** Who has commented when. Elsewhere, these names are fields with text. */
const unreadOfComment = new Set(['date', 'creator', 'creator-initials', 'date-string']);
const margin = /^(?:header|footer)(?:-(?:left|first))?$/;

/** @param onlyMargins whether only headers and footers are text: styles have samples. */
async function addPart(
  archive: Archive,
  part: string,
  words: Words,
  styles: OpenStyles,
  onlyMargins: boolean,
): Promise<void> {
  let slides = 0;
  let paragraphs = 0;
  let isSheet = false;
  const lists = new OpenLists(styles, () => slides === 0);
  const styleReader = styles.reader();
  const links: { words: string; address?: string }[] = [];
  const spans: ReturnType<typeof placed>[] = [];
  /** Open elements within what is not read. */
  let skipped = 0;
  let margins = 0;
  let comments = 0;
  /** The cell and row that are open, with their text; in a table of a document, cells have tables too. */
  const cells: Cell[] = [];
  const rows: { cells: string[]; repeats: number }[] = [];
  const add = (text: string): void => {
    const cell = cells.at(-1);
    if (onlyMargins && margins === 0) return;
    if (!cell) words.add(text);
    // A date is given as such, in place of how the document shows it.
    else if (cell.date !== undefined && comments === 0) return;
    else if (cell.text.length < words.most) cell.text += text;
  };
  const repeatsOf = (attributes: Record<string, string>, what: string): number =>
    Math.max(1, Math.trunc(Number(attributeOf(attributes, `number-${what}-repeated`) ?? 1)) || 1);
  const open = (name: string, attributes: Record<string, string>): void => {
    if (skipped > 0 || unread.has(name) || (comments > 0 && unreadOfComment.has(name))) {
      skipped += 1;
      return;
    }
    if (name === 'spreadsheet') isSheet = true;
    else if (name === 'table' && isSheet)
      words.add(`\n[Sheet ${JSON.stringify(attributeOf(attributes, 'name') ?? '')}]\n`);
    else if (name === 'page') words.add(`\n[Slide ${++slides}]\n`);
    else if (name === 'notes' && !onlyMargins) words.begin(`[Notes of slide ${slides}]`);
    else if (name === 'annotation') {
      comments += 1;
      add(' [Comment: ');
    } else if (name === 'note')
      add(attributeOf(attributes, 'note-class') === 'endnote' ? ' [Endnote: ' : ' [Footnote: ');
    else if (name === 'a') links.push({ words: '', address: attributeOf(attributes, 'href') });
    else if (name === 'span') spans.push(styles.places.get(attributeOf(attributes, 'style-name') ?? ''));
    else if (name === 'list') lists.openList(attributes);
    else if (name === 'list-item') lists.openItem(attributes);
    else if (margin.test(name) && onlyMargins) {
      margins += 1;
      words.begin(name.startsWith('header') ? '[Header]' : '[Footer]');
    } else if (name === 'table-row') rows.push({ cells: [], repeats: repeatsOf(attributes, 'rows') });
    else if (name === 'table-cell' || name === 'covered-table-cell')
      cells.push({ text: '', repeats: repeatsOf(attributes, 'columns'), ...cellValue(attributes) });
    else if (name === 'p' || name === 'h') {
      paragraphs += 1;
      const heading = name === 'h' ? Number(attributeOf(attributes, 'outline-level') ?? 1) : undefined;
      add(lists.begin(attributes, heading));
    } else if (name === 'tab') add('\t');
    else if (name === 'line-break') add(cells.length > 0 ? ' ' : '\n');
    else if (name === 's') add(' ');
    else styleReader.open(name, attributes);
  };
  const close = (name: string): void => {
    if (skipped > 0) {
      skipped -= 1;
      return;
    }
    if (margin.test(name) && onlyMargins) margins -= 1;
    else if (name === 'annotation') {
      comments -= 1;
      add('] ');
    } else if (name === 'note') add('] ');
    else if (name === 'a') {
      const link = links.pop();
      add(addressAfter(link?.words ?? '', link?.address));
    } else if (name === 'span') spans.pop();
    else if (name === 'list') lists.closeList();
    else if (name === 'p' || name === 'h') {
      paragraphs -= 1;
      add(cells.length > 0 ? ' ' : '\n');
    } else if (name === 'table-cell' || name === 'covered-table-cell') {
      const cell = cells.pop();
      const row = rows.at(-1);
      if (!cell || !row || row.cells.length >= words.most) return;
      const text = oneLine(textOf(cell));
      const most = text ? Math.ceil(words.most / text.length) : mostEmpty;
      for (let time = 0; time < Math.min(cell.repeats, most); time++) row.cells.push(text);
    } else if (name === 'table-row') {
      const row = rows.pop();
      const line = row?.cells.join('\t').trimEnd();
      if (row && line) for (let time = 0; time < row.repeats && !words.isFull(); time++) add(`${line}\n`);
    }
  };
  const text = (piece: string): void => {
    if (paragraphs === 0 || skipped > 0) return;
    for (const link of links) link.words += piece;
    const place = spans.at(-1);
    add(place ? place(piece) : piece);
  };
  words.isWhole = (await archive.walk(part, { open, text, close }, words.isFull)) && words.isWhole;
}

interface Cell {
  text: string;
  repeats: number;
  /** Its value, if it is a date or a time: alike in every format. */
  date?: string;
  /** Another value, which some programs write without a text. */
  value?: string;
  isNumber?: boolean;
}

function cellValue(attributes: Record<string, string>): Pick<Cell, 'date' | 'value' | 'isNumber'> {
  const of = (what: string) => attributeOf(attributes, what);
  const [, hours, minutes, seconds] = /^PT(\d+)H(\d+)M(\d+)/.exec(of('time-value') ?? '') ?? [];
  const two = (digits: string) => digits.padStart(2, '0');
  if (hours) return { date: [hours, minutes!, seconds!].map(two).join(':') };
  const [date, time] = (of('date-value') ?? '').split(/[T.]/);
  if (date) return { date: time && time !== '00:00:00' ? `${date} ${time}` : date };
  const number = of('value');
  if (number) return { value: number, isNumber: true };
  return { value: of('boolean-value')?.toUpperCase() ?? of('string-value') };
}

function textOf({ text, date, value = '', isNumber }: Cell): string {
  if (date !== undefined) return `${text} ${date}`;
  if (text.trim() !== '' && text.trim() !== value) return text;
  // A program that shows all digits of a number shows more than it means.
  return isNumber ? shownNumber(value, undefined, false) : value;
}
