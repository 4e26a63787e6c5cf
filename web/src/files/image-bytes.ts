import { jpegFacts } from 'vigil-client/shared';

/** The first bytes of a picture, which say what it is. Its name and the browser's type come from the name alone. */

/** The bytes that are read. An animation's mark is among them, and what a camera has written before the picture's own bytes. */
export const firstBytes = 131_072;
/** The marks of a type are among these. */
const markBytes = 4_096;

const marks: readonly [type: string, mark: RegExp][] = [
  ['image/png', /^\x89PNG\r\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF....WEBP/s],
  ['image/avif', /^....ftypavi[fs]/s],
  ['application/pdf', /^%PDF-/],
];

/** Types that only their marks show. */
const marked = new Set(marks.map(([type]) => type));

/** @returns the type to announce: what the bytes show, or else what the browser says. */
export function typeOf(first: Uint8Array, said: string): string {
  const text = latin1(first);
  const shown = marks.find(([, mark]) => mark.test(text))?.[0];
  if (shown) return shown;
  const type = (said.split(';')[0] ?? '').toLowerCase();
  return type === '' || marked.has(type) ? 'application/octet-stream' : type;
}

/** Whether a picture moves, so that a resized one would be another. */
export function isAnimated(first: Uint8Array, type: string): boolean {
  const text = latin1(first);
  if (type === 'image/png') return /^.{8}(?:(?!IDAT).)*acTL/s.test(text);
  // https://developers.google.com/speed/webp/docs/riff_container#extended_file_format: the second bit of the flags.
  if (type === 'image/webp') return /^.{12}VP8X/s.test(text) && ((first[20] ?? 0) & 2) !== 0;
  return type === 'image/gif' || /^....ftypavis/s.test(text);
}

const latin1 = (bytes: Uint8Array): string =>
  Array.from(bytes.subarray(0, markBytes), (byte) => String.fromCharCode(byte)).join('');

/** What models read of a picture: more is resized by providers, and paid for. */
const longestSide = 2_048;
const mostBytes = 4_000_000;

/** Types that pages and models show as they are. Other pictures become JPEG where the browser can decode them. */
const shownTypes = /^image\/(?:png|jpeg|gif|webp|avif)$/;

/** Whether a picture looks otherwise to what does not know how its camera was held, or the colours of print. */
export function isOdd(first: Uint8Array): boolean {
  const facts = jpegFacts(first);
  return facts !== undefined && (facts.orientation !== 1 || facts.isCmyk);
}

/** @returns the size of the picture to upload instead, or undefined if it can stay as it is. */
export function resized(
  { width, height }: { width: number; height: number },
  { size, type, odd = false }: { size: number; type: string; odd?: boolean },
): { width: number; height: number } | undefined {
  const longest = Math.max(width, height);
  if (longest <= longestSide && size <= mostBytes && shownTypes.test(type) && !odd) return undefined;
  const scale = Math.min(1, longestSide / longest);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Names a picture by its new type: "IMG_1.heic" becomes "IMG_1.jpg". */
export const renamed = (name: string, type: string): string =>
  `${name.replace(/\.[a-z\d]{1,5}$/i, '')}.${type === 'image/jpeg' ? 'jpg' : type.replace('image/', '')}`;
