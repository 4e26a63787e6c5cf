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

test('mean, spread and pass^k of the trials of a case, of which one not played to its end scores 0, and of an eval as the mean of its cases (R236)', () => {
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
  const [one] = trials('a', 1);
  expect(compare([{ name: 'now', played: [one!] }]).cases[0]!.figures[0]!.spread).toBeUndefined();
  const stopped = { ...one!, holds: false, problem: 'stopped' };
  expect(compare([{ name: 'now', played: [stopped] }]).cases[0]!.figures[0]!.mean).toBe(0);
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

test.each<[what: string, verdict: string, p: number, before: Played[], after: Played[]]>([
  ['the same', 'same', 1, cases(6, 1), cases(6, 1)],
  // 2 of 64 arrangements are as uneven, and 2 of 32.
  ['all of six cases lost', 'worse', 2 / 64, cases(6, 1), cases(6, 0)],
  ['all of six cases gained', 'better', 2 / 64, cases(6, 0), cases(6, 1)],
  ['all of five cases lost', 'noise', 2 / 32, cases(5, 1), cases(5, 0)],
  // Cases differ more than the variants do, and that is no noise between them.
  [
    'hard and easy cases, each a little worse',
    'worse',
    2 / 1024,
    Array.from({ length: 10 }, (_, index) => trials(`c${index}`, index / 10 + 0.1)).flat(),
    Array.from({ length: 10 }, (_, index) => trials(`c${index}`, index / 10)).flat(),
  ],
  // A case with three trials: 2 of the 20 selections.
  ['a case whose three trials are lost', 'noise', 2 / 20, trials('a', 1, 1, 1), trials('a', 0, 0, 0)],
])('an eval with %s: %s, by the share of the arrangements within its cases (R236)', (_, verdict, p, before, after) => {
  const [one, again] = [compare(sides(before, after)), compare(sides(before, after))];
  expect(one.evals[0]!.differences[1]).toMatchObject({ verdict, p: expect.closeTo(p, 2) });
  // The same reports give the same comparison.
  expect(again).toEqual(one);
});

test('of many cases, one that differs by chance is not named; one that surely differs is, and comes first (R236)', () => {
  const lost = (name: string, count: number) => [0, 1].map((score) => trials(name, ...Array(count).fill(1 - score)));
  // 2 of 70 arrangements are as uneven, which of one case would be enough.
  const [[before, after], [held, chance]] = [lost('lost', 8), lost('chance', 4)] as [Played[][], Played[][]];
  const found = compare(sides([...cases(10, 1), ...held!, ...before!], [...cases(10, 1), ...chance!, ...after!]));
  const worse = found.cases.filter(({ differences }) => differences[1]!.verdict === 'worse').map((row) => row.case);
  expect([worse, found.cases[0]!.case, hasRegressed(found)]).toEqual([['lost'], 'lost', true]);
  expect(found.cases.find((row) => row.case === 'chance')!.differences[1]!.p).toBeCloseTo(2 / 70, 2);
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
