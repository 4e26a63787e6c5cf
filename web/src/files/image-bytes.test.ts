import { isAnimated, renamed, resized, typeOf } from './image-bytes';

const bytes = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0));
const png = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR';
const riff = (flags: number) => `RIFF\0\0\0\0WEBPVP8X\n\0\0\0${String.fromCharCode(flags)}`;

test('a file is announced as what its bytes show, not as what its name says (R215)', () => {
  expect(typeOf(bytes(png), 'image/jpeg')).toBe('image/png');
  expect(typeOf(bytes('\xff\xd8\xff\xe0'), '')).toBe('image/jpeg');
  expect(typeOf(bytes(riff(0)), 'text/plain')).toBe('image/webp');
  expect(typeOf(bytes('\0\0\0 ftypavif'), '')).toBe('image/avif');
  // A picture or PDF that is none would be refused.
  expect(typeOf(bytes('hello'), 'image/png')).toBe('application/octet-stream');
  expect(typeOf(bytes('hello'), 'application/pdf')).toBe('application/octet-stream');
  expect(typeOf(bytes('a,b'), 'text/csv; charset=utf-8')).toBe('text/csv');
  expect(typeOf(bytes(''), '')).toBe('application/octet-stream');
});

test('what moves is known by its bytes (R215)', () => {
  expect(isAnimated(bytes(`${png}....acTL....IDAT`), 'image/png')).toBe(true);
  expect(isAnimated(bytes(`${png}....IDAT....acTL`), 'image/png')).toBe(false);
  expect(isAnimated(bytes(riff(2)), 'image/webp')).toBe(true);
  expect(isAnimated(bytes(riff(0x10)), 'image/webp')).toBe(false);
  expect(isAnimated(bytes('GIF89a'), 'image/gif')).toBe(true);
  expect(isAnimated(bytes('\xff\xd8\xff'), 'image/jpeg')).toBe(false);
});

test('only a picture that is larger than models read is resized, in its proportions (R215)', () => {
  const ofPng = { size: 1_000_000, type: 'image/png' };
  expect(resized({ width: 2_048, height: 100 }, ofPng)).toBeUndefined();
  expect(resized({ width: 4_096, height: 1_000 }, ofPng)).toEqual({ width: 2_048, height: 500 });
  expect(resized({ width: 1, height: 30_000 }, ofPng)).toEqual({ width: 1, height: 2_048 });
  const same = { width: 800, height: 600 };
  expect(resized(same, { ...ofPng, size: 4_000_001 })).toEqual(same);
  // No model and not every browser reads it.
  expect(resized(same, { size: 10, type: 'image/heic' })).toEqual(same);
});

test('a picture of another type has its ending (R215)', () => {
  expect(renamed('IMG_1.HEIC', 'image/jpeg')).toBe('IMG_1.jpg');
  expect(renamed('no ending', 'image/webp')).toBe('no ending.webp');
  expect(renamed('v1.2 of a plan.png', 'image/webp')).toBe('v1.2 of a plan.webp');
});
