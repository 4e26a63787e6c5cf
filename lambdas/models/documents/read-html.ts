import { Parser } from 'htmlparser2';
import { addressAfter } from './address-after';
import { numbered } from './office/list-labels';
import { placed } from './raised-digits';

const unseen = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'head',
  'iframe',
  'object',
  'rp',
  'datalist',
]);
const inline = new Set(
  'a abbr b bdi bdo button cite code data del dfn em font i img input ins kbd label mark optgroup option q rb rt ruby s samp select small span strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);
const isHiddenBy = (style = ''): boolean => /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style);

/** How a list is numbered, by its `type`. */
const numberings: Record<string, string> = { a: 'lowerLetter', A: 'upperLetter', i: 'lowerRoman', I: 'upperRoman' };

/** Stands for a space or a line that is kept, until the others are tidied. */
const [keptSpace, keptLine] = ['\uE000', '\uE001'];

/**
 * Returns the text of a page as a person reads it: lists with their marks, a line for each row of a table with tabs between the cells, links
 * with their addresses, fields with their values.
 *
 * @param characters the text is at most about twice as long.
 */
export function readHtml(html: string, characters: number): { text: string; isWhole: boolean } {
  let text = '';
  let depth = 0;
  /** The depth of the element that is not shown, with all that is in it. */
  let hidden = 0;
  let preformatted = 0;
  let isWhole = true;
  const lists: { next?: number; format?: string }[] = [];
  /** What is in `sup` and `sub`, which only numbers keep. */
  const places: ReturnType<typeof placed>[] = [];
  const rows: TableRow[] = [];
  let choice: { from: number; count: number } | undefined;
  const links: { from: number; address?: string }[] = [];
  const add = (piece: string) => {
    if (hidden) return;
    if (text.length < characters * 2) text += piece;
    else isWhole &&= piece.trim() === '';
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      depth += 1;
      const { hidden: isHidden, 'aria-hidden': ariaHidden, style, value = '', type = 'text' } = attributes;
      if (!hidden && (unseen.has(name) || isHidden !== undefined || ariaHidden === 'true' || isHiddenBy(style)))
        hidden = depth;
      if (name === 'td' || name === 'th') {
        add('\t');
        rows.at(-1)?.cells.push(text.length);
      } else if (name === 'br') add(keptLine);
      else if (!inline.has(name)) add('\n');
      if (name === 'tr') rows.push({ cells: [], isLayout: false });
      else if (name === 'table' || name === 'pre') markLayout(rows);
      if (name === 'pre' || name === 'textarea') preformatted += 1;
      else if (name === 'sup' || name === 'sub') places.push(placed(name));
      else if (name === 'q') add('“');
      else if (name === 'select' && attributes.multiple === undefined) choice = { from: text.length, count: 0 };
      else if (name === 'option' && choice) {
        // One of them is shown: the first, unless another is chosen.
        if (attributes.selected !== undefined && !hidden) text = text.slice(0, choice.from);
        else if (choice.count > 0 && !hidden) hidden = depth;
        choice.count += 1;
      } else if (name === 'ul' || name === 'menu') lists.push({});
      else if (name === 'ol')
        lists.push({ next: Number(attributes.start ?? 1), format: numberings[attributes.type ?? ''] });
      else if (name === 'li') {
        const list = lists.at(-1);
        if (list?.next !== undefined && attributes.value) list.next = Number(attributes.value);
        add(list?.next === undefined ? '- ' : `${numbered(list.next++, list.format ?? 'decimal')}. `);
      } else if (name === 'a') links.push({ from: text.length, address: attributes.href });
      else if (name === 'input') {
        if (/^(?:checkbox|radio)$/i.test(type)) add(attributes.checked === undefined ? '[ ] ' : '[x] ');
        else if (!/^(?:hidden|password)$/i.test(type)) add(value);
      }
    },
    ontext(piece) {
      if (preformatted > 0) add(piece.replace(/[^\S\n]/g, keptSpace).replaceAll('\n', keptLine));
      else {
        const place = places.at(-1);
        add((place ? place(piece) : piece).replace(/\s+/g, ' '));
      }
    },
    onclosetag(name) {
      if (name === 'a') {
        const link = links.pop();
        if (link) add(addressAfter(text.slice(link.from), link.address));
      } else if (name === 'ul' || name === 'ol' || name === 'menu') lists.pop();
      else if (name === 'pre' || name === 'textarea') preformatted -= 1;
      else if (name === 'sup' || name === 'sub') places.pop();
      else if (name === 'q') add('”');
      else if (name === 'select') choice = undefined;
      else if (name === 'tr') {
        const row = rows.pop();
        if (text.length < characters * 2) text = inOneLine(text, row);
      }
      if (hidden === depth) hidden = 0;
      depth -= 1;
      if (!inline.has(name) && name !== 'td' && name !== 'th' && name !== 'br') add('\n');
    },
  });
  parser.end(html);
  const tidy = text
    // Where a word may be divided.
    .replaceAll('\u00ad', '')
    .replace(/[^\S\n\t]+/g, ' ')
    .replace(/ ?([\n\t]) ?/g, '$1')
    // The first cell of a row begins the line.
    .replace(/\n\t/g, '\n')
    .replaceAll(keptSpace, ' ')
    .replaceAll(keptLine, '\n')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\s+$/g, '');
  return { text: tidy, isWhole };
}

interface TableRow {
  /** Where its cells begin in the text. */
  cells: number[];
  /** Whether a cell has a table or lines that are kept. */
  isLayout: boolean;
}

/** Notes that the open rows are not data. Rows around one that is known to be no data are known, too. */
function markLayout(rows: readonly TableRow[]): void {
  for (let at = rows.length - 1; at >= 0 && !rows[at]!.isLayout; at--) rows[at]!.isLayout = true;
}

/** A longer cell is a part of a page that is laid out by a table. */
const mostOfCell = 500;

/** Has a row of several cells in one line, whatever paragraphs are in them. */
function inOneLine(text: string, row: TableRow | undefined): string {
  if (!row || row.isLayout || row.cells.length < 2) return text;
  const cells = row.cells.map((from, at) => text.slice(from, row.cells[at + 1]));
  if (cells.some((cell) => cell.length > mostOfCell)) return text;
  const lines = new RegExp(`[\\n${keptLine} ]+`, 'g');
  return text.slice(0, row.cells[0]) + cells.map((cell) => cell.replace(lines, ' ').trim()).join('\t');
}
