import { oneLine } from 'vigil-client/shared';
import { type Archive, attributeOf } from './archive';
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
  await addPart(archive, 'content.xml', words, false);
  await addPart(archive, 'styles.xml', words, true);
}

/** Words that were deleted, and the number of a page, which a program writes. */
const unread = new Set(['tracked-changes', 'page-number']);
/** Who has commented when. Elsewhere, these names are fields with text. */
const unreadOfComment = new Set(['date', 'creator', 'creator-initials', 'date-string']);
const margin = /^(?:header|footer)(?:-(?:left|first))?$/;

/** @param onlyMargins whether only headers and footers are text: styles have samples. */
async function addPart(archive: Archive, part: string, words: Words, onlyMargins: boolean): Promise<void> {
  let slides = 0;
  let paragraphs = 0;
  let isSheet = false;
  /** Open elements within what is not read. */
  let skipped = 0;
  let margins = 0;
  let comments = 0;
  /** The cell and row that are open, with their text; in a table of a document, cells have tables too. */
  const cells: { text: string; repeats: number }[] = [];
  const rows: { cells: string[]; repeats: number }[] = [];
  const add = (text: string): void => {
    const cell = cells.at(-1);
    if (onlyMargins && margins === 0) return;
    if (!cell) words.add(text);
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
    } else if (margin.test(name) && onlyMargins) {
      margins += 1;
      words.begin(name.startsWith('header') ? '[Header]' : '[Footer]');
    } else if (name === 'table-row') rows.push({ cells: [], repeats: repeatsOf(attributes, 'rows') });
    else if (name === 'table-cell' || name === 'covered-table-cell')
      cells.push({ text: '', repeats: repeatsOf(attributes, 'columns') });
    else if (name === 'p' || name === 'h') paragraphs += 1;
    else if (name === 'tab') add('\t');
    else if (name === 'line-break') add(cells.length > 0 ? ' ' : '\n');
    else if (name === 's') add(' ');
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
    } else if (name === 'p' || name === 'h') {
      paragraphs -= 1;
      add(cells.length > 0 ? ' ' : '\n');
    } else if (name === 'table-cell' || name === 'covered-table-cell') {
      const cell = cells.pop();
      const row = rows.at(-1);
      if (!cell || !row || row.cells.length >= words.most) return;
      const text = oneLine(cell.text);
      const most = text ? Math.ceil(words.most / text.length) : mostEmpty;
      for (let time = 0; time < Math.min(cell.repeats, most); time++) row.cells.push(text);
    } else if (name === 'table-row') {
      const row = rows.pop();
      const line = row?.cells.join('\t').trimEnd();
      if (row && line) for (let time = 0; time < row.repeats && !words.isFull(); time++) add(`${line}\n`);
    }
  };
  const text = (piece: string): void => {
    if (paragraphs > 0 && skipped === 0) add(piece);
  };
  words.isWhole = (await archive.walk(part, { open, text, close }, words.isFull)) && words.isWhole;
}
