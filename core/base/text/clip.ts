/** The maximum length of a text: in characters as JavaScript and JSON schemas count them, or in bytes of UTF-8. */
type Limit = { characters: number } | { bytes: number };

/**
 * Returns the beginning of a text, never with half a character: an emoji of several code points or a letter with its marks is kept whole or
 * left out. Every text that is stored or sent is shortened here.
 *
 * @param ending what follows a text that is cut, such as `…`. It counts.
 */
export function clip(text: string, most: Limit, ending = ''): string {
  // No more of a long text than what decides where it is cut.
  const whole = wellFormed(text.slice(0, ('bytes' in most ? most.bytes : most.characters) + 2 * longestGrapheme));
  if (endWithin(whole, most) === whole.length) return whole;
  const room = 'bytes' in most ? most.bytes - bytesIn(ending) : most.characters - ending.length;
  return (
    whole.slice(0, graphemeEnd(whole, endWithin(whole, 'bytes' in most ? { bytes: room } : { characters: room }))) +
    ending
  );
}

/** Returns the end of a text, never with half a character. */
export function clipStart(text: string, characters: number): string {
  const whole = wellFormed(text);
  const start = Math.max(0, whole.length - Math.max(0, characters));
  const before = graphemeEnd(whole, start);
  return whole.slice(before === start ? start : graphemeAt(whole, start).end);
}

/**
 * Returns the text with U+FFFD, the replacement character, in place of each half of a surrogate pair and of NUL. DynamoDB and model servers
 * refuse a half, and some of them NUL.
 */
export const wellFormed = (text: string): string => text.replace(illFormed, '\uFFFD');

/** Whether a text has no half of a surrogate pair, and no NUL. */
export const isWellFormed = (text: string): boolean => text.search(illFormed) < 0;

// With the flag `u`, a surrogate matches only if it is not part of a pair.
const illFormed = /[\0\p{Surrogate}]/gu;

/** Returns the last place within the limit that is not inside a surrogate pair. */
function endWithin(text: string, most: Limit): number {
  const units = Math.max(0, 'bytes' in most ? most.bytes : most.characters);
  // A unit is one to three bytes.
  if (text.length * ('bytes' in most ? 3 : 1) <= units) return text.length;
  if ('bytes' in most) return encoder.encodeInto(text, new Uint8Array(units)).read;
  return isHigh(text.charCodeAt(units - 1)) ? units - 1 : units;
}

const encoder = new TextEncoder();
const bytesIn = (text: string): number => encoder.encode(text).length;
const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** A grapheme that is longer is no character of any script, and is cut between code points. */
const longestGrapheme = 64;

/** Returns the last end of a grapheme up to a place, which is not inside a surrogate pair. */
function graphemeEnd(text: string, place: number): number {
  const { start, end } = graphemeAt(text, place);
  return end - start > longestGrapheme ? place : start;
}

/** Returns the grapheme that a place is in. Between two ASCII characters other than a line break, nothing must be looked up. */
function graphemeAt(text: string, place: number): { start: number; end: number } {
  if (place <= 0 || place >= text.length || /^[\x20-\x7e\n]{2}/.test(text.slice(place - 1, place + 1)))
    return { start: place, end: place };
  // What follows decides whether a grapheme ends here; only its beginning is needed, because a segmenter copies its text.
  const { index, segment } = graphemes()
    .segment(text.slice(0, place + 2 * longestGrapheme))
    .containing(place)!;
  return { start: index, end: index + segment.length };
}

let segmenter: Intl.Segmenter | undefined;

/** Created once, because creation loads language rules. */
function graphemes(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter;
}
