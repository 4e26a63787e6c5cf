import { sizeToDraw } from './page-size';

const place = { width: 800, height: 600 };
const drawn = (width: number, height: number, zoom = 1, pixelRatio = 1) =>
  sizeToDraw({ page: { width, height }, place, zoom, pixelRatio });

test('a page is as wide as its place, and sharp on a screen with more pixels (R215)', () => {
  expect(drawn(400, 600).shown).toEqual({ width: 800, height: 1_200 });
  expect(drawn(400, 600, 1, 2)).toEqual({
    shown: { width: 800, height: 1_200 },
    pixels: { width: 1_600, height: 2_400 },
    scale: 4,
  });
  expect(drawn(1_600, 100).shown).toEqual({ width: 800, height: 50 });
});

test('a small page is not enlarged to the width of its place (R215)', () => {
  expect(drawn(100, 100).shown).toEqual({ width: 200, height: 200 });
});

test.each([
  [1_000_000, 1_000_000],
  [1_000_000, 0.001],
  [0.001, 1_000_000],
  [Number.NaN, Number.POSITIVE_INFINITY],
  [0, -5],
  [612, 792],
])('no page of %d × %d points makes a canvas that a browser refuses (R215)', (width, height) => {
  for (const zoom of [1, 8]) {
    const { shown, pixels } = drawn(width, height, zoom, 3);
    for (const side of [shown.width, shown.height, pixels.width, pixels.height]) {
      expect(Number.isInteger(side)).toBe(true);
      expect(side).toBeGreaterThan(0);
    }
    expect(pixels.width * pixels.height).toBeLessThanOrEqual(16_000_000);
    expect(Math.max(pixels.width, pixels.height)).toBeLessThanOrEqual(8_192);
    expect(Math.max(shown.width, shown.height)).toBeLessThanOrEqual(20_000);
  }
});
