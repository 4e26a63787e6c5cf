import { tokenLifeMs } from './token-answer';

test.each<[unknown, number]>([
  [60, 60_000],
  [undefined, 300_000],
  [null, 300_000],
  ['3600', 3_600_000],
  ['1e9', 300_000],
  ['', 300_000],
  [{}, 300_000],
  [Number.NaN, 300_000],
  [0, 0],
  [-5, 0],
  [1e308, 86_400_000],
  [Number.POSITIVE_INFINITY, 86_400_000],
])('a token of %p seconds is used for %d ms at most (R189)', (seconds, ms) => {
  expect(tokenLifeMs(seconds)).toBe(ms);
});
