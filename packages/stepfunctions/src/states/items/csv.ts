import type { Json, JsonObject } from '../../language/json';
import { readerFailure } from './item-failure';

const delimiters: Record<string, string> = { COMMA: ',', PIPE: '|', SEMICOLON: ';', SPACE: ' ', TAB: '\t' };

/** CSV with a header line, or with headers from the definition: one object of strings for each row. Missing cells are empty. */
export function readCsv(text: string, config: JsonObject): Json[] {
  const rows = parseCsv(text, delimiters[String(config.CSVDelimiter ?? 'COMMA')] ?? ',');
  const headers = config.CSVHeaderLocation === 'GIVEN' ? (config.CSVHeaders as string[]) : (rows.shift() ?? []);
  if (new Set(headers).size < headers.length) readerFailure('CSV headers cannot contain duplicates.');
  return rows.map((row) => Object.fromEntries(headers.map((header, i) => [header, row[i] ?? ''])));
}

/**
 * Fields may be quoted, and quotes inside are doubled. A backslash keeps the quote, separator or backslash that follows, and vanishes before
 * anything else: "How Step Functions parses input CSV files" in AWS's guide. Empty lines are no rows.
 */
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
  const kept = new Set(['\\', '"', delimiter]);
  for (let i = 0; i < text.length; i += 1) {
    const c = text[i]!;
    const next = text[i + 1] ?? '';
    if (c === '\\') {
      if (!kept.has(next)) continue;
      cell += next;
      i += 1;
    } else if (c === '"' && next === '"' && (quoted || cell !== '')) {
      cell += '"';
      i += 1;
    } else if (quoted) {
      if (c === '"') quoted = false;
      else cell += c;
    } else if (c === '"' && cell === '') quoted = true;
    else if (c === delimiter) endCell();
    else if (c === '\n') endRow();
    else if (c !== '\r') cell += c;
  }
  if (cell !== '' || row.length > 0) endRow();
  return rows;
}
