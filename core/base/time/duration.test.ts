import { parseDuration } from './duration';

test.each([
  ['PT1H', 3_600_000],
  ['P1DT2H', 93_600_000],
  ['P3W', 1_814_400_000],
  ['PT1.5S', 1_500],
  ['PT0S', 0],
])('%s is %d ms', (text, ms) => expect(parseDuration(text)).toBe(ms));

test.each(['', 'P', 'PT', '3 days', 'P1M', 'P1Y', '-P1D', 'P1H'])('%j is no duration', (text) => {
  expect(parseDuration(text)).toBeUndefined();
});
