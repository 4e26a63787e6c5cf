/**
 * Returns the parts of a web address; undefined if the text is not one.
 *
 * Not by `URL.canParse`: once V8 has optimized a caller, Node 20 and 22 refuse addresses with letters such as ü.
 *
 * @example
 * urlIn('https://münchen.example/')?.hostname; // 'xn--mnchen-3ya.example'
 */
export function urlIn(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
