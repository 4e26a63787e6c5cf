/** Decodes UTF-8, UTF-16 with its mark, or else Latin-1, which every sequence of bytes is. */
export function decoded(bytes: Uint8Array, isWhole: boolean): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    // The last character of a part may be cut in the middle, and is then left out.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole });
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}
