/**
 * Draws values so that none can look like anything else: a text stands in quotes that nothing inside it can end, and what a reader
 * could not see, or would take for a quote, is written out. So two different values never look alike.
 */

/** Characters that are not visible, or change the direction of what stands around them: a class of a regular expression with the flag `u`. */
export const unseen = String.raw`[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}\u{16fe4}]`;

/** Signs that look like a double quote. */
const likeQuotes =
  '\u00ab\u00bb\u02ba\u02dd\u02ee\u05f4\u201c-\u201f\u2033\u2034\u2036\u2037\u2057\u275d\u275e\u301d-\u301f\uff02';
/** Signs that look like one when there are two of them. */
const likeApostrophes =
  "'`\u00b4\u02b9\u02bb-\u02bd\u02c8\u02ca\u02cb\u05f3\u2018-\u201b\u2032\u2035\u275b\u275c\uff07";
const written = new RegExp(
  [
    // Parts of an emoji that is seen.
    String.raw`(?<pictured>(?<=\p{Extended_Pictographic}\p{EMod}?)\ufe0f|(?<=\p{Extended_Pictographic}(?:\p{EMod}|\ufe0f)?)\u200d(?=\p{Extended_Pictographic}))`,
    unseen,
    // Nothing carries it, so it would strike the quote; or it is one of many, which paint over other lines.
    String.raw`(?<=^|\s|\p{M}{3})\p{M}`,
    // A space that is not the usual one, or that follows another one: both may be shown as one.
    String.raw`(?! )\p{Zs}|(?<= ) `,
    `[${likeQuotes}]|(?<=[${likeApostrophes}])[${likeApostrophes}]`,
  ].join('|'),
  'gu',
);

const codeUnits = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

const fromRight = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]|[\u{10800}-\u{10fff}]|[\u{1e800}-\u{1efff}]/u;

/**
 * Returns a text in quotes. It is JSON, so it can be read back. A text with letters that run from right to left is isolated (U+2068 and
 * U+2069), so that they do not reorder what follows.
 */
export function quoted(text: string): string {
  const inside = JSON.stringify(text)
    .slice(1, -1)
    .replace(written, (found, pictured) => pictured ?? codeUnits(found));
  const whole = `"${inside}"`;
  return fromRight.test(text) ? `\u2068${whole}\u2069` : whole;
}

/** Returns a name in words. One that is not of plain letters and digits is quoted. */
export const named = (name: string): string =>
  /^[a-z][a-z0-9]*([_-][a-z0-9]+)*$/i.test(name) ? name.replaceAll('_', ' ') : quoted(name);

/** Returns a value on one line. Only texts have quotes. */
export function drawn(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return `[${value.map(drawn).join(', ')}]`;
  if (typeof value !== 'object') return String(value);
  const fields = Object.entries(value).map(([name, field]) => `${named(name)}: ${drawn(field)}`);
  return `{${fields.join(', ')}}`;
}
