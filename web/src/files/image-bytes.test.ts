import { isAnimated, isOdd, renamed, resized, typeOf } from './image-bytes';

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

describe('a JPEG that looks otherwise to who does not know how it is to be drawn (R272)', () => {
  const number = (value: number, length: number, isLittle: boolean) => {
    const all = Array.from({ length }, (_, at) => (value >> (8 * at)) & 0xff);
    return isLittle ? all : all.reverse();
  };
  const exif = (orientation: number, isLittle: boolean) => {
    const of = (value: number, length: number) => number(value, length, isLittle);
    const list = [...of(1, 2), ...of(0x01_12, 2), ...of(3, 2), ...of(1, 4), ...of(orientation, 2), 0, 0];
    const tiff = [...bytes(isLittle ? 'II' : 'MM'), ...of(42, 2), ...of(8, 4), ...list, 0, 0, 0, 0];
    return [...bytes('Exif\0\0'), ...tiff];
  };
  const segment = (marker: number, content: number[]) => [
    0xff,
    marker,
    ...number(content.length + 2, 2, false),
    ...content,
  ];
  const frame = (colours: number) => segment(0xc2, [8, 0, 9, 0, 9, colours]);
  const jpeg = (...parts: number[][]) => Uint8Array.from([0xff, 0xd8, ...parts.flat(), 0xff, 0xda]);
  const app0 = segment(0xe0, [...bytes('JFIF\0')]);

  test.each<[string, Uint8Array, boolean]>([
    ['upright', jpeg(app0, segment(0xe1, exif(1, true)), frame(3)), false],
    ['on its side, little-endian', jpeg(segment(0xe1, exif(6, true)), frame(3)), true],
    ['upside down, big-endian, after JFIF', jpeg(app0, segment(0xe1, exif(3, false)), frame(3)), true],
    ['a number that Exif does not have', jpeg(segment(0xe1, exif(9, true)), frame(3)), false],
    ['XMP in the same segment', jpeg(segment(0xe1, [...bytes('http://ns.adobe.com/xap')]), frame(3)), false],
    ['CMYK', jpeg(app0, frame(4)), true],
    ['grey', jpeg(frame(1)), false],
    ['cut off in Exif', jpeg(segment(0xe1, exif(6, true))).subarray(0, 20), false],
    ['a segment that ends nowhere', Uint8Array.from([0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff]), false],
    ['a PNG', bytes(png), false],
    ['nothing', bytes(''), false],
  ])('%s', (_, first, odd) => {
    expect(isOdd(first)).toBe(odd);
  });

  test('is drawn again at its own size', () => {
    const small = { width: 800, height: 600 };
    expect(resized(small, { size: 10_000, type: 'image/jpeg', odd: true })).toEqual(small);
  });
});
