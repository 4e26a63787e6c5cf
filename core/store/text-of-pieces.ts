import type { Piece } from '../state/schemas';

/** Returns the text of one attempt's pieces up to the first gap. They may overlap, because a read joins those that it finds. */
export function textOf(pieces: readonly Piece[]): string {
  let text = '';
  for (const piece of [...pieces].sort((a, b) => a.from - b.from)) {
    if (piece.from > text.length) break;
    text += piece.text.slice(text.length - piece.from);
  }
  return text;
}
