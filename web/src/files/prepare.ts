import { firstBytes, isAnimated, isOdd, renamed, resized, typeOf } from './image-bytes';

/** Loaded with the first file. It makes of a picture what models read, and a small one for the page. */

export interface Prepared {
  file: Blob;
  name: string;
  mediaType: string;
  preview?: string;
}

const previewSide = 96;

/**
 * @returns the file to upload: a large picture is resized, and one that lies on its side, or has the colours of print, is drawn as people see
 *   it. An animation, and what the browser cannot decode, stays as it is.
 * @throws DOMException if the file cannot be read.
 */
export async function prepare(file: File): Promise<Prepared> {
  const first = new Uint8Array(await file.slice(0, firstBytes).arrayBuffer());
  const mediaType = typeOf(first, file.type);
  const asItIs = { file: typed(file, mediaType), name: file.name || 'file', mediaType };
  // A vector picture is a document with rules and links: it is never drawn.
  if (!mediaType.startsWith('image/') || mediaType.startsWith('image/svg')) return asItIs;
  const bitmap = await createImageBitmap(asItIs.file).catch(() => undefined);
  if (!bitmap) return asItIs;
  try {
    const preview = await previewOf(bitmap);
    const odd = isOdd(first);
    const size = isAnimated(first, mediaType) ? undefined : resized(bitmap, { size: file.size, type: mediaType, odd });
    const smaller = size && (await drawn(bitmap, size, mediaType));
    // Some pictures of few pixels have more bytes than that: they were better compressed.
    const isKept = !smaller || (!odd && smaller.size >= file.size && size.width === bitmap.width);
    if (isKept) return { ...asItIs, preview };
    return { file: smaller, name: renamed(asItIs.name, smaller.type), mediaType: smaller.type, preview };
  } catch {
    // Some browsers have no memory for so large a picture.
    return asItIs;
  } finally {
    bitmap.close();
  }
}

const typed = (file: File, type: string): Blob => (file.type === type ? file : file.slice(0, file.size, type));

/** What may be transparent stays so, where the browser writes WebP. */
async function drawn(bitmap: ImageBitmap, size: { width: number; height: number }, from: string): Promise<Blob> {
  const type = /png|webp|avif/.test(from) ? 'image/webp' : 'image/jpeg';
  const blob = await encoded(bitmap, size, type);
  // It writes PNG instead of what it does not know.
  return blob.type === type ? blob : encoded(bitmap, size, 'image/jpeg');
}

function encoded(
  bitmap: ImageBitmap,
  { width, height }: { width: number; height: number },
  type: string,
  quality = 0.9,
) {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d')!;
  context.imageSmoothingQuality = 'high';
  if (type === 'image/jpeg') {
    context.fillStyle = '#fff';
    context.fillRect(0, 0, width, height);
  }
  context.drawImage(bitmap, 0, 0, width, height);
  return canvas.convertToBlob({ type, quality });
}

async function previewOf(bitmap: ImageBitmap): Promise<string> {
  const scale = Math.min(1, previewSide / Math.min(bitmap.width, bitmap.height));
  // A very long picture has a preview of its middle, as its tile has.
  const side = (length: number) => Math.min(2 * previewSide, Math.max(1, Math.round(length * scale)));
  const canvas = new OffscreenCanvas(side(bitmap.width), side(bitmap.height));
  const [width, height] = [canvas.width / scale, canvas.height / scale];
  const context = canvas.getContext('2d')!;
  const [left, top] = [(bitmap.width - width) / 2, (bitmap.height - height) / 2];
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, left, top, width, height, 0, 0, canvas.width, canvas.height);
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.6 });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
