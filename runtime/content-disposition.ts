import { clip, wellFormed } from '../core/base/text/clip';

const longestName = 150;
const longestExtension = 16;

/**
 * Returns the header `Content-Disposition` (RFC 6266). The name is in it twice: in ASCII, and encoded for all of Unicode
 * (RFC 8187), which browsers prefer. Nothing in a name ends the header or names a folder.
 *
 * @example
 * ```ts
 * contentDisposition(false, 'Reçu.pdf'); // → `attachment; filename="Re_u.pdf"; filename*=UTF-8''Re%C3%A7u.pdf`
 * ```
 */
export function contentDisposition(inline: boolean, filename = ''): string {
  const kind = inline ? 'inline' : 'attachment';
  const name = nameOf(filename);
  if (name === '') return kind;
  const ascii = name.replace(/[^ -~]|["%\\]/gu, '_');
  const all = encodeURIComponent(name).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${all}`;
}

/** Without control characters, marks of direction, which make `exe.jpg` of `gpj.exe`, and folders. Keeps the extension of a long name. */
function nameOf(filename: string): string {
  const plain = wellFormed(filename)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '')
    .replace(/[/\\:]/g, '_')
    .trim();
  const name = /^\.+$/.test(plain) ? '' : plain;
  const extension = /\.[\w-]+$/.exec(name)?.[0] ?? '';
  if (name.length <= longestName || extension.length > longestExtension) return clip(name, { characters: longestName });
  const stem = name.slice(0, name.length - extension.length);
  return clip(stem, { characters: longestName - extension.length }) + extension;
}
