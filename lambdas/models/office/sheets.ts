import { oneLine } from 'vigil-client/shared';
import { type Archive, attributeOf } from './archive';
import { type DateKind, dateKind, dateOf, durationOf } from './cell-dates';
import { addComments, type Words } from './words';

interface Sheet {
  name: string;
  state: string;
  id: string;
}

/** Text that is written as it is, or the number of a string that cells share. */
type Piece = string | { shared: number };

/** Which cells of a table are dates: they are stored as numbers. */
interface Dates {
  styles: ReadonlyMap<number, DateKind>;
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
  const dates: Dates = { styles: await dateStyles(archive, partOf('styles')), from1904 };
  const tables: { sheet: Sheet; part: string; pieces: Piece[] }[] = [];
  // A shared string counts as one character until it is read, so at most so many cells are kept.
  let length = 0;
  for (const sheet of sheets) {
    const part = relations.find(({ id }) => id === sheet.id)?.target ?? '';
    const pieces: Piece[] = [];
    const add = (piece: Piece) => {
      pieces.push(piece);
      length += typeof piece === 'string' ? piece.length : 1;
    };
    const isWhole = await addCells(archive, part, { add, dates, isEnough: () => length >= words.most });
    words.isWhole &&= isWhole;
    tables.push({ sheet, part, pieces });
    if (!isWhole) break;
  }
  const strings = await sharedStrings(
    archive,
    partOf('sharedStrings'),
    tables.flatMap(({ pieces }) => pieces),
    words.most,
  );
  for (const { sheet, part, pieces } of tables) {
    words.add(`\n[Sheet ${JSON.stringify(sheet.name)}${sheet.state === 'visible' ? '' : ', hidden'}]\n`);
    for (const piece of pieces)
      words.add(typeof piece === 'string' ? piece : oneLine(strings.get(piece.shared) ?? '…'));
    for (const { type, target } of await archive.relations(part))
      if (type === 'comments' || type === 'threadedComment')
        await addComments(archive, target, words, `[Comments on sheet ${JSON.stringify(sheet.name)}]`);
  }
}

interface Cells {
  add(piece: Piece): void;
  dates: Dates;
  isEnough(): boolean;
}

/** @returns whether all cells were read. */
function addCells(archive: Archive, part: string, { add, dates, isEnough }: Cells): Promise<boolean> {
  let column = 0;
  let last = 0;
  let cell: { type?: string; style: number; value: string; formula: string } | undefined;
  let place = '';
  let into: 'value' | 'formula' | undefined;
  return archive.walk(
    part,
    {
      open(name, { r, t, s }) {
        if (name === 'row') last = 0;
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
        const piece = pieceOf(cell, dates);
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
  { styles, from1904 }: Dates,
): Piece {
  // A program that computes nothing stores a formula without its value.
  if (value === '') return formula ? oneLine(`=${formula}`) : '';
  if (type === 's') return { shared: Number(value) };
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  const isNumber = type === undefined || type === 'n';
  const kind = isNumber ? styles.get(style) : undefined;
  if (kind === 'duration') return durationOf(value);
  return kind ? dateOf(value, from1904) : oneLine(value);
}

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
  await archive.walk(
    part,
    {
      open(name) {
        if (name === 'si') {
          index += 1;
          if (needed.has(index)) strings.set(index, '');
        } else if (name === 'rPh') isPhonetic = true;
        else if (name === 't') isText = !isPhonetic;
      },
      text(text) {
        const before = isText ? strings.get(index) : undefined;
        if (before === undefined || before.length >= 32_767) return;
        strings.set(index, before + text);
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

/** Returns the numbers of the styles that show a number as a date, a time or a duration. */
async function dateStyles(archive: Archive, part: string): Promise<Map<number, DateKind>> {
  const formats = new Map<number, string>();
  const styles = new Map<number, DateKind>();
  let isInCells = false;
  let count = 0;
  await archive.walk(part, {
    open(name, { numFmtId, formatCode = '' }) {
      if (name === 'numFmt') formats.set(Number(numFmtId), formatCode);
      if (name === 'cellXfs') isInCells = true;
      if (name !== 'xf' || !isInCells) return;
      const kind = dateKind(Number(numFmtId), formats.get(Number(numFmtId)));
      if (kind) styles.set(count, kind);
      count += 1;
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false;
    },
  });
  return styles;
}
