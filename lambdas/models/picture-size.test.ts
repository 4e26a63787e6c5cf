import * as fc from 'fast-check';
import { png } from '../../test/support/sample-files';
import { hasEnd, pictureSize } from './picture-size';

/** The smallest pictures of their kinds, as encoders write them. */
const base64: Record<string, [mediaType: string, data: string, width: number, height: number]> = {
  'a JPEG': [
    'image/jpeg',
    '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
    ...([1, 1] as const),
  ],
  'a GIF': ['image/gif', 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 1, 1],
  'a WebP with losses': ['image/webp', 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 1, 1],
  'a WebP without losses': ['image/webp', 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 1, 1],
};

test.each(Object.entries(base64))('%s has a type and a size (R212)', (_, [mediaType, data, width, height]) => {
  expect(pictureSize(Buffer.from(data, 'base64'))).toEqual({ mediaType, width, height });
});

test('a PNG has a type and a size, also a size that no memory holds (R212)', () => {
  expect(pictureSize(png(640, 480))).toEqual({ mediaType: 'image/png', width: 640, height: 480 });
  expect(pictureSize(png(60_000, 60_000))).toMatchObject({ width: 60_000, height: 60_000 });
});

test('other bytes, and any beginning of a picture, are no error (R212)', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => pictureSize(bytes) === undefined || true));
  const pictures = [png(), ...Object.values(base64).map(([, data]) => Buffer.from(data, 'base64'))];
  for (const picture of pictures)
    for (let end = 0; end < 30; end++) expect(() => pictureSize(picture.subarray(0, end))).not.toThrow();
  expect(pictureSize(Buffer.from('<svg/>'))).toBeUndefined();
});

test('a picture that is cut off anywhere has no end, also where its thumbnail has one (R266)', () => {
  const jpeg = Buffer.concat([Buffer.from(base64['a JPEG']![1], 'base64'), Buffer.from('\xff\xd9', 'latin1')]);
  const thumbnail = Buffer.concat([Buffer.from('\xff\xe1\x00\x06\xff\xd8\xff\xd9', 'latin1')]);
  const photo = Buffer.concat([jpeg.subarray(0, 2), thumbnail, jpeg.subarray(2)]);
  const webp = Buffer.from(base64['a WebP with losses']![1], 'base64');
  for (const whole of [png(), jpeg, photo, webp]) {
    const { mediaType } = pictureSize(whole)!;
    expect(hasEnd(whole, mediaType)).toBe(true);
    expect(hasEnd(Buffer.concat([whole, Buffer.alloc(9)]), mediaType)).toBe(true);
    for (let end = 0; end < whole.length; end++) expect(hasEnd(whole.subarray(0, end), mediaType)).toBe(false);
  }
});
