/** What a JPEG says of how it is to be drawn. */
export interface JpegFacts {
  /** Exif's orientation, 1 to 8: how its camera was held. 1 is upright. */
  orientation: number;
  /** Where its frame is, which has its size and its colours; undefined if the bytes end before. */
  frame?: number;
  /** Whether its colours are for print (CMYK), which many readers of pictures do not know. */
  isCmyk: boolean;
}

/**
 * Reads the segments before a JPEG's own bytes, as far as they are given; undefined for other bytes.
 *
 * @see https://www.cipa.jp/std/documents/download_e.html?DC-008-Translation-2023-E, the standard of Exif
 */
export function jpegFacts(first: Uint8Array): JpegFacts | undefined {
  const data = new DataView(first.buffer, first.byteOffset, first.byteLength);
  if (data.byteLength < 3 || data.getUint16(0) !== 0xff_d8 || data.getUint8(2) !== 0xff) return undefined;
  const facts: JpegFacts = { orientation: 1, isCmyk: false };
  for (let at = 2; at + 4 <= data.byteLength && data.getUint8(at) === 0xff; ) {
    const marker = data.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const end = at + 2 + data.getUint16(at + 2);
    if (marker === 0xe1) facts.orientation = orientationIn(data, at + 4) ?? facts.orientation;
    // SOF: 0xC0 to 0xCF, without DHT, JPG and DAC. The picture follows.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      facts.frame = at;
      facts.isCmyk = at + 9 < data.byteLength && data.getUint8(at + 9) === 4;
      break;
    }
    at = end;
  }
  return facts;
}

const orientationTag = 0x01_12;

/** Returns the orientation in a segment that begins at a place; undefined if it is no Exif, is cut off, or does not say. */
function orientationIn(data: DataView, at: number): number | undefined {
  try {
    if (data.getUint32(at) !== 0x45_78_69_66) return undefined;
    const start = at + 6;
    const isLittle = data.getUint16(start) === 0x49_49;
    const list = start + data.getUint32(start + 4, isLittle);
    const count = data.getUint16(list, isLittle);
    for (let entry = list + 2; entry < list + 2 + 12 * count; entry += 12)
      if (data.getUint16(entry, isLittle) === orientationTag) {
        const value = data.getUint16(entry + 8, isLittle);
        return value >= 1 && value <= 8 ? value : undefined;
      }
    return undefined;
  } catch {
    return undefined;
  }
}
