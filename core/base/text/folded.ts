/**
 * Folding makes texts comparable: whoever searches for `cafe` means `Café` as well, and `Straße`, `STRASSE` and `ｓｔｒａße` differ only in their look (Unicode's NFKC, in lower case). It is
 * made piece by piece, a letter with its marks, so that a place in a folded text is known in the text itself.
 */
const folded = (text: string): string =>
  ascii.test(text) ? text.toLowerCase() : piecesOf(text).map(foldedPiece).join('');

const ascii = /^[\0-\x7f]*$/;
const piecesOf = (text: string): string[] => text.normalize('NFC').match(/\P{M}\p{M}*|\p{M}+/gsu) ?? [];
const foldedPiece = (piece: string): string =>
  piece
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(accents, '')
    .normalize('NFKC')
    .replaceAll('ς', 'σ');
/** In other scripts, marks make other letters, as in が. */
const accents = /(?<=[\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu;

/** A part of an excerpt, and whether it is what was searched for. */
export interface Part {
  text: string;
  hit?: true;
}

/** The words of a search, folded. A text matches if it contains all of them, in any order. */
export const wordsOf = (query: string): string[] => [...new Set(folded(query).split(/\s+/).filter(Boolean))];

export function matches(text: string, words: readonly string[]): boolean {
  const all = folded(text);
  return words.every((word) => all.includes(word));
}

/** The length of an excerpt before its first hit, and in all. */
const before = 40;
const length = 160;

/** Returns the surroundings of the first hit, with all hits in them marked. Breaks of lines become spaces. */
export function excerptOf(text: string, words: readonly string[]): Part[] {
  const pieces = piecesOf(text.replace(/\s+/g, ' '));
  const hits = hitsIn(pieces, words);
  const first = hits.indexOf(true);
  const from = Math.max(0, first - before);
  const to = Math.min(pieces.length, from + length);
  const parts: Part[] = [];
  for (let at = from; at < to; at++) {
    const last = parts.at(-1);
    if (last && Boolean(last.hit) === hits[at]) last.text += pieces[at];
    else parts.push({ text: pieces[at]!, ...(hits[at] && { hit: true }) });
  }
  const ellipsis: Part = { text: '…' };
  return [...(from > 0 ? [ellipsis] : []), ...parts, ...(to < pieces.length ? [ellipsis] : [])];
}

/** Returns for each piece whether it is part of a hit. */
function hitsIn(pieces: readonly string[], words: readonly string[]): boolean[] {
  const pieceAt: number[] = [];
  let all = '';
  for (const [index, piece] of pieces.entries()) {
    const one = foldedPiece(piece);
    for (let unit = 0; unit < one.length; unit++) pieceAt.push(index);
    all += one;
  }
  const hits = pieces.map(() => false);
  for (const word of words)
    for (let at = all.indexOf(word); at >= 0; at = all.indexOf(word, at + word.length))
      hits.fill(true, pieceAt[at], pieceAt[at + word.length - 1]! + 1);
  return hits;
}
