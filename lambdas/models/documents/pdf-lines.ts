import { lowered, raised } from './raised-digits';

/** Words of a page, with the place of their beginning, in points from its lower left corner. */
export interface Piece {
  words: string;
  x: number;
  y: number;
}

/** What the library finds on a page, in the order in which it is drawn. */
interface DrawnText {
  str: string;
  transform: number[];
  width: number;
  height: number;
  hasEOL: boolean;
}

/** A part of a line. */
interface Part extends Piece {
  width: number;
  height: number;
  isTurned: boolean;
}

/** Returns what is drawn on a page, line by line, with spaces where people see them. */
export function piecesOf(drawn: readonly DrawnText[]): Piece[] {
  const lines: Part[][] = [[]];
  for (const { str, transform, width, height, hasEOL } of drawn) {
    const [a = 1, b = 0, , , x = 0, y = 0] = transform;
    if (str !== '') lines.at(-1)!.push({ words: str, x, y, width, height, isTurned: a <= 0 || Math.abs(b) > 0.01 });
    if (hasEOL) lines.push([]);
  }
  const whole = withMarks(lines.filter((line) => line.some(({ words }) => words.trim() !== '')));
  return whole.flatMap((line, at) => {
    const parts = joined(withoutSpacing(line.some(({ isTurned }) => isTurned) ? line : inOrder(line)));
    if (at < whole.length - 1) parts.push({ ...parts.at(-1)!, words: '\n' });
    return parts.map(({ words, x, y }) => ({ words, x, y }));
  });
}

const listMark = /^(?:\(?(?:\d{1,3}|[a-z]|[ivx]+)[.)]|[.)]\d{1,3}|[•◦▪‣–-])\s*$/i;

/** Some programs draw the numbers of a list after all else. They belong before what is beside them. */
function withMarks(lines: readonly Part[][]): Part[][] {
  const ordered: Part[][] = [];
  /** The first line at each height. */
  const heights = new Map<number, Part[]>();
  for (const line of lines) {
    const first = line[0]!;
    const height = Math.round(first.y);
    const isMark = line.length === 1 && listMark.test(first.words) && ordered.at(-1)?.[0]?.y !== first.y;
    const beside = isMark && [height, height - 1, height + 1].map((one) => heights.get(one)).find((one) => one);
    if (beside && beside[0]!.x > first.x === !isRightToLeft(beside)) beside.unshift(first);
    else {
      ordered.push(line);
      if (!heights.has(height)) heights.set(height, line);
    }
  }
  return ordered;
}

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}]/gu;
const leftToRight = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/gu;
const isRightToLeft = (line: readonly Part[]): boolean => {
  const words = line.map((part) => part.words).join('');
  return (words.match(rightToLeft)?.length ?? 0) > (words.match(leftToRight)?.length ?? 0);
};

/** Programs draw the parts of a line of Arabic or Hebrew from either side. A number with a point is drawn as it is seen. */
function inOrder(line: Part[]): Part[] {
  if (!isRightToLeft(line)) return line;
  const read = line.map((part) => ({ ...part, words: part.words.replace(/^([.):]+)(\d+)$/, '$2$1') }));
  return read.sort((one, other) => other.x - one.x);
}

/** Letters of a heading that stand apart look like words of one letter. */
function withoutSpacing(line: Part[]): Part[] {
  const isSpaced = line.every(({ words }) => /^(?:\s*|\S(?: \S)*)$/u.test(words));
  const hasLetters = line.some(({ words }) => /^\p{L}(?: \p{L}){3}/u.test(words));
  if (!isSpaced || !hasLetters) return line;
  return line.map((part) => ({ ...part, words: part.words.replace(/(\S) (?=\S)/g, '$1') }));
}

/** So much of the height of letters is a space. */
const leastGap = 0.15;

function joined(line: readonly Part[]): Part[] {
  return line.map((part, at) => {
    const words = withPlace(part, line[at - 1]);
    const next = line[at + 1];
    if (!next || part.isTurned || /\s$/.test(words) || /^\s/.test(next.words)) return { ...part, words };
    const gap = Math.max(next.x - part.x - part.width, part.x - next.x - next.width);
    return { ...part, words: gap > leastGap * Math.max(part.height, next.height) ? `${words} ` : words };
  });
}

/** Returns the words of a part, of small digits above or below the part before as such. */
function withPlace({ words, y, height }: Part, before: Part | undefined): string {
  if (!before || height === 0 || height > before.height * 0.8) return words;
  if (y > before.y + before.height * 0.15) return raised(words);
  return y < before.y - before.height * 0.05 ? lowered(words) : words;
}
