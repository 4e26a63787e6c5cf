/**
 * Returns the media type that bytes show; undefined for text, and for types without a mark. The library is loaded when an upload is
 * completed: other requests do not need it.
 */
export async function mediaTypeOf(first: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type/core');
  const shown = (await fileTypeFromBuffer(first))?.mime;
  return shown === undefined || mayBeText.test(shown) || first.some(isControl) ? shown : undefined;
}

/** Marks of two or three letters begin words, too: a table of "BMI" is no BMP. But pictures, sound and programs have control characters. */
const isControl = (byte: number): boolean => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d].includes(byte);
const mayBeText = /^(?:text\/.+|application\/(?:pdf|xml|rtf|postscript|eps)|.+\+xml)$/;
