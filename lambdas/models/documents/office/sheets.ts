import { oneLine } from 'vigil-client/shared';
import { addressAfter } from '../address-after';
import { placed } from '../raised-digits';
import { type Archive, attributeOf } from './archive';
import { type CellFormat, formatOf, shownNumber } from './cell-formats';
import { addComments, addParagraphs, type Words } from './words';

interface Sheet {
  name: string;
  state: string;
  id: string;
}

/** Text that is written as it is, or the number of a string that cells share. */
type Piece = string | { shared: number };

/** How cells show their numbers. */
interface Formats {
  styles: ReadonlyMap<number, CellFormat>;
  from1904: boolean;
}

/** An empty column is a tab. After more of them, a cell is given with its place. */
const mostEmptyColumns = 20;

/** Adds the cells of all sheets, of hidden ones as well: a line for each row, with tabs between the cells. */
export async function addSheets(archive: Archive, main: string, words: Words): Promise<void> {
  const sheets: Sheet[] = [];
  let from1904 = false;
  await archive.walk(main, {
    open(name, { name: sheetName = '', state = 'visible', ...attributes }) {
      if (name === 'workbookPr') from1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '');
      if (name === 'sheet') sheets.push({ name: sheetName, state, id: attributeOf(attributes, 'id') ?? '' });
    },
  });
  const relations = await archive.relations(main);
  const partOf = (kind: string) => relations.find(({ type }) => type === kind)?.target ?? '';
  const formats: Formats = { styles: await cellFormats(archive, partOf('styles')), from1904 };
  const tables: { sheet: Sheet; part: string; pieces: Piece[]; links: Link[] }[] = [];
  // A shared string counts as one character until it is read, so at most so many cells are kept.
  let length = 0;
  for (const sheet of sheets) {
    const part = relations.find(({ id }) => id === sheet.id)?.target ?? '';
    const pieces: Piece[] = [];
    const links: Link[] = [];
    const add = (piece: Piece) => {
      pieces.push(piece);
      length += typeof piece === 'string' ? piece.length : 1;
    };
    const isWhole = await addCells(archive, part, {
      add,
      // More of them would not fit.
      link: (one) => links.length < words.most && links.push(one),
      formats,
      isEnough: () => length >= words.most,
    });
    words.isWhole &&= isWhole;
    tables.push({ sheet, part, pieces, links });
    if (!isWhole) break;
  }
  const strings = await sharedStrings(
    archive,
    partOf('sharedStrings'),
    tables.flatMap(({ pieces }) => pieces),
    words.most,
  );
  for (const { sheet, part, pieces, links } of tables) {
    words.add(`\n[Sheet ${JSON.stringify(sheet.name)}${sheet.state === 'visible' ? '' : ', hidden'}]\n`);
    for (const piece of pieces)
      words.add(typeof piece === 'string' ? piece : oneLine(unescaped(strings.get(piece.shared) ?? '…')));
    const addresses = links.length > 0 ? await archive.links(part) : undefined;
    if (addresses) words.begin(`[Links on sheet ${JSON.stringify(sheet.name)}]`);
    for (const { place, id } of links) {
      const address = addresses?.get(id);
      if (address) words.add(`${place}:${addressAfter('', address)}\n`);
    }
    for (const { type, target } of await archive.relations(part)) {
      if (type === 'drawing') {
        words.begin(`[Drawings on sheet ${JSON.stringify(sheet.name)}]`);
        await addParagraphs(archive, target, words);
      }
      if (type === 'comments' || type === 'threadedComment')
        await addComments(archive, target, words, `[Comments on sheet ${JSON.stringify(sheet.name)}]`);
    }
  }
}

/** A cell that is a link, with the id of its address. */
interface Link {
  place: string;
  id: string;
}

interface Cells {
  add(piece: Piece): void;
  link(one: Link): void;
  formats: Formats;
  isEnough(): boolean;
}

/** @returns whether all cells were read. */
function addCells(archive: Archive, part: string, { add, link, formats, isEnough }: Cells): Promise<boolean> {
  let column = 0;
  let last = 0;
  let cell: { type?: string; style: number; value: string; formula: string } | undefined;
  let place = '';
  let into: 'value' | 'formula' | undefined;
  return archive.walk(
    part,
    {
      open(name, { r, t, s, ref = '', ...attributes }) {
        if (name === 'row') last = 0;
        // They come after all cells.
        else if (name === 'hyperlink') link({ place: ref, id: attributeOf(attributes, 'id') ?? '' });
        else if (name === 'c') {
          column = r ? columnOf(r) : column + 1;
          place = r ?? '';
          cell = { type: t, style: Number(s ?? 0), value: '', formula: '' };
        } else if (name === 'v' || name === 't') into = 'value';
        else if (name === 'f') into = 'formula';
        // How the characters before it are pronounced.
        else if (name === 'rPh') into = undefined;
      },
      text(text) {
        // Excel's cells have 32,767 characters at most.
        if (cell && into && cell[into].length < 32_767) cell[into] += text;
      },
      close(name) {
        if (name === 'v' || name === 't' || name === 'f') into = undefined;
        if (name === 'row') {
          if (last > 0) add('\n');
          column = 0;
        }
        if (name !== 'c' || !cell) return;
        const piece = pieceOf(cell, formats);
        cell = undefined;
        if (piece === '') return;
        const gap = column - Math.max(last, 1);
        if (gap > mostEmptyColumns) add(`${last > 0 ? '\t' : ''}[${place}] `);
        else if (gap > 0) add('\t'.repeat(gap));
        add(piece);
        last = column;
      },
    },
    isEnough,
  );
}

function pieceOf(
  { type, style, value, formula }: { type?: string; style: number; value: string; formula: string },
  { styles, from1904 }: Formats,
): Piece {
  // A program that computes nothing stores a formula without its value.
  if (value === '') return formula ? oneLine(`=${formula}`) : '';
  if (type === 's') return { shared: Number(value) };
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  if (type === undefined || type === 'n') return oneLine(shownNumber(value, styles.get(style), from1904));
  return oneLine(unescaped(value));
}

/** Characters that XML does not allow are written as their numbers: `_x000D_`. */
const unescaped = (text: string): string =>
  text.replace(/_x([\da-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Of `C5`: 3. */
function columnOf(place: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/.exec(place)?.[0] ?? '') column = column * 26 + letter.charCodeAt(0) - 64;
  return column;
}

/** Reads the strings that cells refer to, as far as they are shown. */
async function sharedStrings(
  archive: Archive,
  part: string,
  pieces: readonly Piece[],
  most: number,
): Promise<Map<number, string>> {
  const needed = new Set(pieces.flatMap((piece) => (typeof piece === 'string' ? [] : piece.shared)));
  const strings = new Map<number, string>();
  let index = -1;
  let length = 0;
  let isText = false;
  let isPhonetic = false;
  let place: ((text: string) => string) | undefined;
  await archive.walk(
    part,
    {
      open(name, { val }) {
        if (name === 'si' || name === 'r') place = undefined;
        if (name === 'vertAlign') place = placed(val);
        else if (name === 'si') {
          index += 1;
          if (needed.has(index)) strings.set(index, '');
        } else if (name === 'rPh') isPhonetic = true;
        else if (name === 't') isText = !isPhonetic;
      },
      text(text) {
        const before = isText ? strings.get(index) : undefined;
        if (before === undefined || before.length >= 32_767) return;
        strings.set(index, before + (place ? place(text) : text));
        length += text.length;
      },
      close(name) {
        if (name === 't') isText = false;
        if (name === 'rPh') isPhonetic = false;
      },
    },
    // One string may be in many cells; those of the cells that are shown are as long as their text, at most, but in any order.
    () => (strings.size >= needed.size && index >= 0 && !needed.has(index) ? true : length > 100 * most),
  );
  return strings;
}

/** Returns how the styles of cells show numbers, by the styles' numbers. */
async function cellFormats(archive: Archive, part: string): Promise<Map<number, CellFormat>> {
  const codes = new Map<number, string>();
  const styles = new Map<number, CellFormat>();
  let isInCells = false;
  let count = 0;
  await archive.walk(part, {
    open(name, { numFmtId, formatCode = '' }) {
      if (name === 'numFmt') codes.set(Number(numFmtId), formatCode);
      if (name === 'cellXfs') isInCells = true;
      if (name !== 'xf' || !isInCells) return;
      const format = formatOf(Number(numFmtId), codes.get(Number(numFmtId)));
      if (format) styles.set(count, format);
      count += 1;
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false;
    },
  });
  return styles;
}
