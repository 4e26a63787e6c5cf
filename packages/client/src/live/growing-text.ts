/** A part of a text: what begins at the character `from`. */
export interface Part {
  readonly from: number;
  readonly text: string;
}

/**
 * What is known of a text that one writer writes from its beginning to its end: parts in order, with gaps between them. All parts are of
 * the same text, so they may come in any order, twice, and overlap.
 */
export type GrowingText = readonly Part[];

const endOf = ({ from, text }: Part): number => from + text.length;

/** Adds a part. @returns the same text if the part tells nothing new. */
export function withPart(known: GrowingText, { from, text }: Part): GrowingText {
  const end = from + text.length;
  if (text === '' || known.some((part) => part.from <= from && endOf(part) >= end)) return known;
  const touching = known.filter((part) => part.from <= end && endOf(part) >= from);
  const before = known.filter((part) => endOf(part) < from);
  const after = known.filter((part) => part.from > end);
  return [...before, joined([...touching, { from, text }]), ...after];
}

/** Returns the text up to the first gap. */
export const beginningOf = ([first]: GrowingText): string => (first?.from === 0 ? first.text : '');

/** Joins parts that touch each other. */
function joined(parts: Part[]): Part {
  const [first, ...rest] = parts.sort((a, b) => a.from - b.from) as [Part, ...Part[]];
  return rest.reduce(
    (whole, part) => ({ from: whole.from, text: whole.text + part.text.slice(Math.max(0, endOf(whole) - part.from)) }),
    { from: first.from, text: first.text },
  );
}
