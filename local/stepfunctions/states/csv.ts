import type { Json, JsonObject } from '../language/json';
import { readerFailure } from './item-reader';

const delimiters: Record<string, string> = { COMMA: ',', PIPE: '|', SEMICOLON: ';', SPACE: ' ', TAB: '\t' };

/** CSV with a header line, or with headers from the definition: one object of strings for each row. Missing cells are empty. */
export function readCsv(text: string, config: JsonObject): Json[] {
  const rows = parseCsv(text, delimiters[String(config.CSVDelimiter ?? 'COMMA')] ?? ',');
  const headers = config.CSVHeaderLocation === 'GIVEN' ? (config.CSVHeaders as string[]) : (rows.shift() ?? []);
  if (new Set(headers).size < headers.length) readerFailure('CSV headers cannot contain duplicates.');
  return rows.map((row) => Object.fromEntries(headers.map((header, i) => [header, row[i] ?? ''])));
}

/** RFC 4180: fields may be quoted, quotes inside are doubled. Empty lines are no rows. */
function parseCsv(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  const endCell = () => {
    row.push(cell);
    cell = '';
  };
  const endRow = () => {
    endCell();
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  };
  for (let i = 0; i < text.length; i += 1) {
    const c = text[i]!;
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[i + 1] === '"') {
        cell += '"';
        i += 1;
      } else quoted = false;
    } else if (c === '"' && cell === '') quoted = true;
    else if (c === delimiter) endCell();
    else if (c === '\n') endRow();
    else if (c !== '\r') cell += c;
  }
  if (cell !== '' || row.length > 0) endRow();
  return rows;
}
