/**
 * Returns the media type that bytes show; undefined for text, and for types without a mark. The library is loaded when an upload is
 * completed: other requests do not need it.
 */
export async function mediaTypeOf(first: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type/core');
  return (await fileTypeFromBuffer(first))?.mime;
}
