import { analyse } from 'chardet';
import { type DecodedText, decodedAs, decodeUnicode, sampled } from './unicode-text';

/**
 * Decodes text in any encoding that browsers know, the same on every version of Node: as Unicode, or as what it declares (HTML, XML, CSS, a
 * comment in code), or by its letters.
 *
 * @param isWhole whether it ends here. The last character of a part may be cut in the middle, and is then left out.
 * @example decodeText(Buffer.from('Caf\xe9', 'latin1'), true).text // 'Café'
 */
export function decodeText(bytes: Uint8Array, isWhole: boolean): DecodedText {
  const unicode = decodeUnicode(bytes, isWhole);
  if (unicode) return unicode;
  const declared = declaredIn(bytes);
  if (declared) return decodedAs(declared, bytes, isWhole);
  const guess = guessOf(bytes);
  // Its letters are changed by sequences that no other text has.
  return { ...decodedAs(guess, bytes, isWhole), isGuess: !guess.startsWith('iso-2022-') };
}

const declarations = [
  /<meta[^>]{1,200}?charset\s*=\s*["']?\s*([\w:.-]{1,40})/i,
  /^\s*<\?xml[^>]{1,200}?encoding\s*=\s*["']([\w:.-]{1,40})/,
  /^@charset "([\w:.-]{1,40})";/,
  /^(?:.*\n)?[#/*;-].{0,100}coding[:=]\s*([\w:.-]{1,40})/,
];

/** As in browsers, a text that can be read at all is not of UTF-16. It is not of UTF-8 either: that was tried. */
function declaredIn(bytes: Uint8Array): string | undefined {
  const beginning = String.fromCharCode(...bytes.subarray(0, 1_024));
  for (const declaration of declarations) {
    const encoding = known(declaration.exec(beginning)?.[1]);
    if (encoding && !encoding.startsWith('utf-')) return encoding;
  }
  return undefined;
}

function known(label: string | undefined): string | undefined {
  try {
    return label && new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** The likeliest encoding in which each byte is a character. */
function guessOf(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, sampled);
  const likely = analyse(sample)
    .filter(({ confidence }) => confidence >= 10)
    .flatMap(({ name }) => known(name) ?? [])
    .filter((encoding) => !encoding.startsWith('utf-'));
  const fitting = likely.find((encoding) => decodedAs(encoding, sample, false).unreadable === 0);
  const guess = fitting ?? likely[0] ?? (bytes.some((byte) => byte > 0x7f) ? 'windows-1252' : 'utf-8');
  return guess === 'windows-1252' && hasEuro(sample) ? 'iso-8859-15' : guess;
}

/** Where ISO 8859-15 has its euro, windows-1252 has a sign that nobody writes; where that one has its quotes, this one has nothing. */
const hasEuro = (bytes: Uint8Array): boolean =>
  bytes.includes(0xa4) && !bytes.some((byte) => byte >= 0x80 && byte < 0xa0);
