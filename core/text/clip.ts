/** Returns the beginning of a text, at most `maxBytes` in UTF-8, without splitting a character. */
export function clip(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  // Bytes 10xxxxxx continue a character. Step back to its beginning.
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end).toString();
}
