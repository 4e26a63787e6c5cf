import { compare, comparisonLines, hasRegressed, partingStep, passAll, type Variant } from './compare';
import type { Played } from './report';

const used = { steps: 1, tokens: 1, costMicrodollars: 1 };
/** Trials of a case with these scores. */
const trials = (name: string, ...scores: number[]): Played[] =>
  scores.map((score, index) => ({
    eval: 'bank',
    case: name,
    trial: index + 1,
    holds: score === 1,
    used,
    scores: [{ name: 'called', score, why: score === 1 ? '' : 'the calls are none' }],
  }));
const sides = (before: Played[], after: Played[]): Variant[] => [
  { name: 'main', played: before },
  { name: 'now', played: after },
];
const cases = (count: number, ...scores: number[]) =>
  Array.from({ length: count }, (_, index) => trials(`case ${index}`, ...scores)).flat();

test('mean, spread and pass^k of the trials of a case, and of an eval as the mean of its cases (R236)', () => {
  const { cases: rows, evals } = compare([
    { name: 'now', played: [...trials('a', 1, 1, 0, 1), ...trials('b', 1, 1, 1, 1)] },
  ]);
  expect(rows[0]!.figures[0]).toMatchObject({
    trials: 4,
    hold: 3,
    mean: 0.75,
    spread: 0.5,
    passAll: [0.75, 0.5, 0.25, 0],
  });
  expect(evals[0]!.figures[0]).toMatchObject({ trials: 8, hold: 7, mean: 0.875, passAll: [0.875, 0.75, 0.625, 0.5] });
  expect(compare([{ name: 'now', played: trials('a', 1) }]).cases[0]!.figures[0]!.spread).toBeUndefined();
});

test('pass^k is the share of the selections of k trials in which all hold (R236)', () => {
  const [n, held] = [6, 4];
  for (let k = 1; k <= n; k++) {
    // All selections, by their bits; the first trials hold.
    const all = Array.from({ length: 2 ** n }, (_, bits) => bits).filter((bits) => ones(bits) === k);
    const good = all.filter((bits) => bits < 2 ** held);
    expect(passAll(n, held, k)).toBeCloseTo(good.length / all.length, 12);
  }
});
const ones = (bits: number): number => bits.toString(2).replaceAll('0', '').length;

test('a trial that was not played to its end scores 0 (R236)', () => {
  const [one] = trials('a', 1);
  expect(
    compare([{ name: 'now', played: [{ ...one!, holds: false, problem: 'stopped' }] }]).cases[0]!.figures[0]!.mean,
  ).toBe(0);
});

test.each<[what: string, verdict: string, before: Played[], after: Played[]]>([
  ['the same', 'same', cases(6, 1), cases(6, 1)],
  // 2 of 64 arrangements are as uneven.
  ['all of six cases lost', 'worse', cases(6, 1), cases(6, 0)],
  ['all of six cases gained', 'better', cases(6, 0), cases(6, 1)],
  // 2 of 32.
  ['all of five cases lost', 'noise', cases(5, 1), cases(5, 0)],
  [
    'half of the trials of one case lost',
    'noise',
    [...cases(5, 1, 1), ...trials('x', 1, 1)],
    [...cases(5, 1, 1), ...trials('x', 1, 0)],
  ],
  ['a little lost in each of ten cases', 'worse', cases(10, 1), cases(10, 0.9)],
  // Cases differ more than the variants do, and that is no noise between them.
  [
    'hard and easy cases, each a little worse',
    'worse',
    Array.from({ length: 10 }, (_, index) => trials(`c${index}`, index / 10 + 0.1)).flat(),
    Array.from({ length: 10 }, (_, index) => trials(`c${index}`, index / 10)).flat(),
  ],
])('an eval with %s: %s (R236)', (_, verdict, before, after) => {
  expect(compare(sides(before, after)).evals[0]!.differences[1]!.verdict).toBe(verdict);
});

test('the probability is that of all arrangements within the cases (R236)', () => {
  // Of 2^6 arrangements of signs, 2 are as uneven.
  expect(compare(sides(cases(6, 1), cases(6, 0))).evals[0]!.differences[1]!.p).toBeCloseTo(2 / 64, 2);
  // A case with three trials: 2 of the 20 selections.
  expect(compare(sides(trials('a', 1, 1, 1), trials('a', 0, 0, 0))).cases[0]!.differences[1]!.p).toBeCloseTo(0.1, 1);
});

test('where nothing differs but chance, about one eval in twenty is called different (R236)', () => {
  let state = 7;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const chance = () =>
    Array.from({ length: 8 }, (_, index) =>
      trials(`c${index}`, ...[0, 0, 0].map(() => Number(random() < index / 8))),
    ).flat();
  const found = Array.from({ length: 20 }, () => compare(sides(chance(), chance())).evals[0]!.differences[1]!.verdict);
  expect(found.filter((one) => one === 'worse' || one === 'better').length).toBeLessThan(4);
});

test('of many cases, one that differs by chance is not named; one that surely differs is, and comes first (R236)', () => {
  const noise = Array.from({ length: 20 }, (_, index) => [
    trials(`c${index}`, 1, 1, 1, 1),
    trials(`c${index}`, 1, 1, 1, index % 2),
  ]);
  const before = [...noise.flatMap(([one]) => one!), ...trials('lost', 1, 1, 1, 1, 1, 1, 1, 1)];
  const after = [...noise.flatMap(([, one]) => one!), ...trials('lost', 0, 0, 0, 0, 0, 0, 0, 0)];
  const found = compare(sides(before, after));
  expect(found.cases.filter(({ differences }) => differences[1]!.verdict === 'worse').map((row) => row.case)).toEqual([
    'lost',
  ]);
  expect(found.cases[0]!.case).toBe('lost');
  expect(hasRegressed(found)).toBe(true);
  // The same reports give the same comparison.
  expect(compare(sides(before, after))).toEqual(found);
});

test('the terminal shows what has become worse first, and why; cases that are gone or new (R237)', () => {
  const before = [...trials('kept', 1), ...trials('better', 0), ...trials('worse', 1), ...trials('old', 1)];
  const after = [...trials('kept', 1), ...trials('better', 1), ...trials('worse', 0), ...trials('young', 1)];
  const found = compare(sides(before, after));
  expect(comparisonLines(found)).toEqual([
    'now, compared with main:',
    '  bank: 0.75 to 0.75, 3 of 4 to 3 of 4 hold: the same',
    '    bank: worse: 1.00 to 0.00, 1 of 1 to 0 of 1 hold: within the noise (p = 1.000)',
    '        called: 0: the calls are none',
    '    bank: old: is gone',
    '    bank: better: 0.00 to 1.00, 0 of 1 to 1 of 1 hold: within the noise (p = 1.000)',
    '    bank: young: is new',
  ]);
  expect(hasRegressed(found)).toBe(false);
});

test('two transcripts part at the first step that differs, also where one ends (R237)', () => {
  const said = (...texts: string[]) => texts.map((text) => ({ kind: 'said' as const, by: 'bank', text }));
  expect(partingStep(said('a', 'b'), said('a', 'b'))).toBeUndefined();
  expect(partingStep(said('a', 'b'), said('a', 'c', 'b'))).toBe(1);
  expect(partingStep(said('a'), said('a', 'b'))).toBe(1);
});
