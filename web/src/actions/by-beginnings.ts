/** Whether each word that is typed begins a word of these texts, whatever its case and its accents: 1, otherwise 0. */
export function byBeginnings(typed: string, texts: readonly string[]): number {
  const words = wordsIn(texts.join(' '));
  return wordsIn(typed).every((one) => words.some((word) => word.startsWith(one))) ? 1 : 0;
}

const wordsIn = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
