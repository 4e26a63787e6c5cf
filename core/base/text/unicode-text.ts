/** Text that was stored as bytes. */
export interface DecodedText {
  text: string;
  /** By its name in the web’s standard of encodings, such as `windows-1251`. */
  encoding: string;
  /** Whether nothing but the frequency of letters tells the encoding. */
  isGuess: boolean;
  /** The characters that cannot be read. In the text they are U+FFFD. */
  unreadable: number;
}

/** Enough to know an encoding by. */
export const sampled = 65_536;
/** A text that was cut is longer. */
const shortBytes = 10_000;
const replacement = '\uFFFD';

/**
 * Decodes text of Unicode: what has its mark, or a zero in every other place, and what UTF-8 can be. A few bytes that are no UTF-8 do not make
 * it another encoding.
 *
 * @param isWhole whether it ends here. The last character of a part may be cut in the middle, and is then left out.
 * @returns undefined for text of another encoding: see `decode-text.ts`.
 * @example decodeUnicode(Buffer.from('Café'), true)?.text // 'Café'
 */
export function decodeUnicode(bytes: Uint8Array, isWhole: boolean): DecodedText | undefined {
  const marked = markOf(bytes);
  if (marked) return decodedAs(marked, bytes, isWhole);
  if (bytes.includes(escapeByte)) return undefined;
  const decoded = decodedAs('utf-8', bytes, isWhole);
  const others = charactersOf(decoded.text, /[^\0-\x7f\uFFFD]/gu);
  // Is the end of a short text a character that is cut, or a letter of another encoding? Nothing else says so.
  if (!isWhole && others === 0 && bytes.length < shortBytes && decodedAs('utf-8', bytes, true).unreadable > 0)
    return undefined;
  return decoded.unreadable === 0 || others >= decoded.unreadable ? decoded : undefined;
}

/** Whether bytes are text, in any encoding: it has no control characters but those of lines, of pages and of ISO 2022. Other bytes have some. */
export function isText(bytes: Uint8Array): boolean {
  const marked = markOf(bytes);
  if (!marked) return bytes.every(isOfText);
  return Array.from(decodedAs(marked, bytes, false).text, (one) => one.charCodeAt(0)).every(isOfText);
}
const isOfText = (code: number): boolean => code >= 0x20 || whitespace.includes(code);
const whitespace = [0x09, 0x0a, 0x0c, 0x0d, 0x1b];

/** Returns what a reader of decoded text needs to know: that its encoding is a guess, and how much of it is lost. */
export const wordsAbout = ({ encoding, isGuess, unreadable }: DecodedText): string[] => [
  ...(isGuess ? [`its encoding is a guess, ${encoding}`] : []),
  ...(unreadable > 0 ? [`${unreadable} of its characters cannot be read`] : []),
];

/** Begins each change of letters in ISO 2022. */
const escapeByte = 0x1b;
const charactersOf = (text: string, kind: RegExp): number => text.match(kind)?.length ?? 0;

const marks: [encoding: string, ...mark: number[]][] = [
  ['utf-8', 0xef, 0xbb, 0xbf],
  // Before UTF-16, whose mark begins alike.
  ['utf-32le', 0xff, 0xfe, 0, 0],
  ['utf-32be', 0, 0, 0xfe, 0xff],
  ['utf-16le', 0xff, 0xfe],
  ['utf-16be', 0xfe, 0xff],
];

/** UTF-16 of most languages has zeros, in one of two places, and other text has none. */
function markOf(bytes: Uint8Array): string | undefined {
  const marked = marks.find(([, ...mark]) => mark.every((byte, at) => bytes[at] === byte));
  if (marked) return marked[0];
  const zeros = [0, 0];
  const first = bytes.subarray(0, sampled);
  for (const [at, byte] of first.entries()) if (byte === 0) zeros[at % 2]! += 1;
  const [high, low] = zeros as [number, number];
  if (Math.max(high, low) * 5 <= first.length || Math.min(high, low) * 20 > Math.max(high, low)) return undefined;
  return high > low ? 'utf-16be' : 'utf-16le';
}

/** @param encoding one that `TextDecoder` knows, or UTF-32. */
export function decodedAs(encoding: string, bytes: Uint8Array, isWhole: boolean): DecodedText {
  const text =
    decoders[encoding]?.(bytes) ?? withLetters(new TextDecoder(encoding).decode(bytes, { stream: !isWhole }), encoding);
  return { text, encoding, isGuess: false, unreadable: charactersOf(text, /\uFFFD/g) };
}

/** Returns decoded text with all of its letters: Node 20 leaves control characters where windows-1252 has some. */
export const withLetters = (text: string, encoding: string): string =>
  encoding === 'windows-1252'
    ? text.replace(/[\x80-\x9f]/g, (character) => from128[character.charCodeAt(0) - 0x80]!)
    : text;
const from128 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
const decoders: Record<string, ((bytes: Uint8Array) => string) | undefined> = {
  'utf-32le': (bytes) => ofFourBytes(bytes, true),
  'utf-32be': (bytes) => ofFourBytes(bytes, false),
};

/** Browsers do not know UTF-32, but some programs write it. */
function ofFourBytes(bytes: Uint8Array, isLittle: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = '';
  // After the mark.
  for (let at = 4; at + 4 <= bytes.length; at += 4) {
    const point = view.getUint32(at, isLittle);
    text += point > 0x10ffff || (point >= 0xd800 && point < 0xe000) ? replacement : String.fromCodePoint(point);
  }
  return text;
}
