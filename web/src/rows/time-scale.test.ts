import { timeScale } from './time-scale';

const work = (from: number, to: number) => ({ from, to, works: true });
const wait = (from: number, to: number) => ({ from, to, works: false });
const days = 86_400_000;

test('three days of sleep take a fixed part of the line, and work next to them is visible', () => {
  const { pieces, at } = timeScale([work(0, 2_000), wait(2_000, 3 * days), work(3 * days, 3 * days + 1_000)]);
  expect(pieces.map(({ broken }) => broken)).toEqual([false, true, false]);
  expect(pieces[1]!.end - pieces[1]!.start).toBeCloseTo(0.16);
  expect(at(2_000)).toBeGreaterThan(0.5);
  expect(at(3 * days + 1_000)).toBeCloseTo(1);
  expect((pieces[0]!.end - pieces[0]!.start) / (pieces[2]!.end - pieces[2]!.start)).toBeCloseTo(2, 1);
});

test('a short wait is to scale', () => {
  const { pieces, at } = timeScale([work(0, 1_000), wait(1_000, 1_300), work(1_300, 2_000)]);
  expect(pieces.some(({ broken }) => broken)).toBe(false);
  expect(at(1_000)).toBeCloseTo(0.5, 1);
});

test('a tool that works during a wait keeps the scale', () => {
  const { pieces } = timeScale([wait(0, 60_000), work(0, 60_000)]);
  expect(pieces).toEqual([expect.objectContaining({ broken: false, start: 0 })]);
});

test('a tool that is retried for an hour does not squeeze the rest', () => {
  const { at } = timeScale([work(0, 1_000), work(1_000, 3_601_000), work(3_601_000, 3_602_000)]);
  expect(at(1_000)).toBeGreaterThan(0.3);
});

test('many waits together leave nearly half of the line for work', () => {
  const stretches = Array.from({ length: 20 }, (_, n) => [
    work(n * days, n * days + 100),
    wait(n * days + 100, (n + 1) * days),
  ]);
  const { pieces } = timeScale(stretches.flat());
  const worked = pieces.filter(({ broken }) => !broken).reduce((sum, { start, end }) => sum + end - start, 0);
  expect(worked).toBeCloseTo(0.45, 1);
  expect(pieces.at(-1)!.end).toBeCloseTo(1);
});

test('positions follow time, and nothing is outside', () => {
  const { at } = timeScale([work(10, 20), work(20, 20), wait(20, days), work(days, days + 5)]);
  const places = [0, 10, 15, 20, 1_000, days, days + 5, 2 * days].map(at);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(Math.min(...places)).toBe(0);
  expect(Math.max(...places)).toBeLessThanOrEqual(1 + 1e-9);
});

test('nothing, and a single moment, also give a line', () => {
  expect(timeScale([]).at(5)).toBe(0);
  expect(timeScale([work(5, 5)]).at(5)).toBe(0);
  expect(timeScale([wait(0, days)]).at(days)).toBe(1);
});
