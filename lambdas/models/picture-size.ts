import { jpegFacts } from 'vigil-client/shared';

/** What the first bytes of a picture say. */
export interface PictureSize {
  mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  width: number;
  height: number;
}

/**
 * Reads type and size of the four kinds of pictures that models take; undefined for other bytes. A library for this knows twenty kinds, and
 * would be a fiftieth of CallModel's bundle.
 */
export function pictureSize(bytes: Uint8Array): PictureSize | undefined {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const size = sizeIn(data);
    // Nothing can be seen of it.
    return size && size.width > 0 && size.height > 0 ? size : undefined;
  } catch {
    // It ends in its header.
    return undefined;
  }
}

/** Whether a picture has its end. A GIF may lack its last byte, and is shown all the same. */
export function hasEnd(bytes: Uint8Array, mediaType: PictureSize['mediaType']): boolean {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (mediaType === 'image/png') return pngHasEnd(data);
    // A thumbnail has an end as well, in a segment before the picture. Inside of the picture, these bytes are escaped.
    if (mediaType === 'image/jpeg') return data.lastIndexOf('\xff\xd9', undefined, 'latin1') > jpegFacts(data)!.frame!;
    return mediaType === 'image/gif' || data.readUInt32LE(4) <= data.length - 8;
  } catch {
    return false;
  }
}

/** Each part has 12 bytes beside its own. */
function pngHasEnd(data: Buffer): boolean {
  let at = 8;
  while (data.toString('latin1', at + 4, at + 8) !== 'IEND') at += 12 + data.readUInt32BE(at);
  return data.length >= at + 12;
}

function sizeIn(data: Buffer): PictureSize | undefined {
  const text = (from: number, to: number) => data.toString('latin1', from, to);
  if (text(0, 8) === '\x89PNG\r\n\x1a\n' && text(12, 16) === 'IHDR')
    return { mediaType: 'image/png', width: data.readUInt32BE(16), height: data.readUInt32BE(20) };
  if (/^GIF8[79]a$/.test(text(0, 6)))
    return { mediaType: 'image/gif', width: data.readUInt16LE(6), height: data.readUInt16LE(8) };
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return webp(data, text(12, 16));
  return text(0, 3) === '\xff\xd8\xff' ? jpeg(data) : undefined;
}

/** See https://developers.google.com/speed/webp/docs/riff_container */
function webp(data: Buffer, form: string): PictureSize | undefined {
  const mediaType = 'image/webp';
  if (form === 'VP8X') return { mediaType, width: data.readUIntLE(24, 3) + 1, height: data.readUIntLE(27, 3) + 1 };
  if (form === 'VP8 ')
    return { mediaType, width: data.readUInt16LE(26) & 0x3fff, height: data.readUInt16LE(28) & 0x3fff };
  if (form !== 'VP8L') return undefined;
  const bits = data.readUInt32LE(21);
  return { mediaType, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

function jpeg(data: Buffer): PictureSize | undefined {
  const at = jpegFacts(data)?.frame;
  return at === undefined
    ? undefined
    : { mediaType: 'image/jpeg', width: data.readUInt16BE(at + 7), height: data.readUInt16BE(at + 5) };
}
