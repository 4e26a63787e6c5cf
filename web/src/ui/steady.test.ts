import { hasMoved } from './steady';

const place = (top: number, scrolled = 0, left = 0) => ({ left, top, scrolled });

test('a row has moved if it is new or elsewhere, unless the user has just scrolled it there (R264)', () => {
  expect(hasMoved(undefined, place(10), 0)).toBe(true);
  expect(hasMoved(place(10), place(11), 10_000)).toBe(false);
  expect(hasMoved(place(10), place(60), 0)).toBe(true);
  expect(hasMoved(place(10), place(10, 0, 40), 0)).toBe(true);
  // By the user, and by the page: a conversation that follows what is said.
  expect(hasMoved(place(60, 0), place(10, 50), 20)).toBe(false);
  expect(hasMoved(place(60, 0), place(10, 50), 2_000)).toBe(true);
  // Scrolled, and moved as well.
  expect(hasMoved(place(60, 0), place(30, 50), 20)).toBe(true);
});
