import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** The folder of the corpus: see its README.md. */
export const corpusFolder = join(__dirname, '../files');

/** What a person reads in a file: its words in their order, and the rows of its tables. */
interface Expected {
  program: string;
  text: string;
  rows?: string[][];
}

export const corpus = (): Record<string, Expected> =>
  JSON.parse(readFileSync(join(corpusFolder, 'expected.json'), 'utf8'));

const groups = ['.pdf', '.docx', '.xlsx', '.pptx', '.odt', '.ods', '.odp', '.html', '.eml'];
/** Returns the kind of a file by its name: all that is text is one kind. */
export const kindOf = (file: string): string => groups.find((end) => end === extname(file))?.slice(1) ?? 'text';

const normal = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim();

/** Scripts that have no spaces between words: each character counts as one. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/gu;
/** Marks at the ends of a word, which may stand in another place in a reader's text. `$5` and `5%` keep theirs. */
const edges = /^[\s([{"'„“«‚:,;–—-]+|[\s)\]}"'“”»’:,;.!?–—-]+$/g;

export const wordsOf = (text: string): string[] =>
  normal(text)
    .replace(unspaced, ' $& ')
    .split(' ')
    .map((word) => word.replace(edges, ''))
    .filter((word) => word !== '');

/** What was expected, and what of it is missing. */
export interface Share {
  all: number;
  lost: string[];
}

/** Takes each item of a list from a text's once. */
function lostOf(expected: readonly string[], found: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const one of found) left.set(one, (left.get(one) ?? 0) + 1);
  return expected.filter((one) => {
    const count = left.get(one) ?? 0;
    left.set(one, count - 1);
    return count < 1;
  });
}

/** Compares what a reader says with what a person reads: words, those with a digit, and cells with the others of their row. */
export function compare({ text, rows = [] }: Expected, read: string): Record<'words' | 'numbers' | 'cells', Share> {
  const expected = wordsOf([text, ...rows.flat()].join('\n'));
  const found = wordsOf(read);
  const isNumber = (word: string) => /\d/.test(word);
  const numbers = expected.filter(isNumber);
  const withoutAddress = (cell: string) => normal(cell).replace(/ \(https?:\S+\)$/, '');
  const lines = read.split('\n').map((line) => line.split('\t').map(withoutAddress));
  const lostCells = rows.flatMap((row) => {
    const wanted = row.map(normal).filter((cell) => cell !== '');
    const losses = lines.map((line) => lostOf(wanted, line));
    return losses.reduce((least, one) => (one.length < least.length ? one : least), wanted);
  });
  return {
    words: { all: expected.length, lost: lostOf(expected, found) },
    numbers: { all: numbers.length, lost: lostOf(numbers, found) },
    cells: { all: rows.flat().filter((cell) => normal(cell) !== '').length, lost: lostCells },
  };
}
