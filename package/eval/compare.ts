import { mean, sampleStandardDeviation, shuffleInPlace, sumSimple } from 'simple-statistics';
import type { Played, ScoreOf } from './report';
import { seededRandom } from './seeded-random';
import type { Entry } from './transcript';

/** One side of a comparison: what a version, or a model, has shown. */
export interface Variant {
  name: string;
  played: Played[];
}

/** What several trials have shown. */
export interface Figures {
  trials: number;
  /** Trials that hold. */
  hold: number;
  /** Of the scores of the trials. */
  mean: number;
  /** The standard deviation of these scores. Undefined for one trial. */
  spread?: number;
  /** The chance that all of k trials hold, for k from 1. */
  passAll: number[];
  costMicrodollars: number;
}

/** How a variant differs from the first one. */
export interface Difference {
  /** Of the mean scores. */
  by: number;
  /** The probability of a difference of this size, if both were equally good. */
  p: number;
  /** `noise` for a difference that is not larger than the noise. */
  verdict: 'worse' | 'better' | 'noise' | 'same';
}

/** A case, or a whole eval, by variant. What a variant lacks is undefined. */
export interface Row {
  eval: string;
  case?: string;
  figures: (Figures | undefined)[];
  /** By variant, undefined for the first one. */
  differences: (Difference | undefined)[];
}

export interface Comparison {
  names: string[];
  evals: Row[];
  /** Those that have become worse first. */
  cases: (Row & { case: string; trials: Played[][] })[];
}

const level = 0.05;
const permutations = 10_000;

/** The score of a trial: the mean of its scores, and 0 if it was not played to its end. */
const scoreOf = ({ problem, scores }: Pick<Played, 'problem' | 'scores'>): number =>
  problem !== undefined || scores.length === 0 ? 0 : mean(scores.map(({ score }: ScoreOf) => score));

/**
 * Estimates the chance that all of k trials hold, without bias: the share of the selections of k trials in which all do.
 */
export const passAll = (trials: number, hold: number, k: number): number =>
  Array.from({ length: k }, (_, index) => Math.max(0, hold - index) / (trials - index)).reduce(
    (all, one) => all * one,
    1,
  );

function figuresOf(trials: Played[]): Figures {
  const hold = trials.filter(({ holds }) => holds).length;
  const scores = trials.map(scoreOf);
  return {
    trials: trials.length,
    hold,
    mean: mean(scores),
    ...(trials.length > 1 && { spread: sampleStandardDeviation(scores) }),
    passAll: trials.map((_, index) => passAll(trials.length, hold, index + 1)),
    costMicrodollars: trials.reduce((sum, { used }) => sum + used.costMicrodollars, 0),
  };
}

/** Of an eval: the means of its cases, so that each counts the same. */
function figuresOfAll(cases: Figures[]): Figures {
  const sum = (what: 'trials' | 'hold' | 'costMicrodollars') => cases.reduce((all, one) => all + one[what], 0);
  const scores = cases.map((one) => one.mean);
  const fewest = Math.min(...cases.map(({ trials }) => trials));
  return {
    trials: sum('trials'),
    hold: sum('hold'),
    mean: mean(scores),
    costMicrodollars: sum('costMicrodollars'),
    ...(scores.length > 1 && { spread: sampleStandardDeviation(scores) }),
    passAll: Array.from({ length: fewest }, (_, index) => mean(cases.map((one) => one.passAll[index]!))),
  };
}

/** The same numbers each time, so that the same reports give the same comparison. */
const seed = 0x9e3779b9;

/** Whole numbers add up exactly, in any order. */
const exact = (trials: Played[]): number[] => trials.map((one) => Math.round(scoreOf(one) * 1_000_000));

/** The scores of the trials of a case, by variant. */
type Pair = readonly [before: number[], after: number[]];

/**
 * Tests the difference over cases: a permutation test, stratified by case. If both variants were equally good, each trial of
 * a case could as well be one of the other variant, so trials change sides within their case only: cases differ in how hard
 * they are.
 *
 * @returns the probability of a difference that is at least as large.
 */
function probabilityOf(pairs: Pair[]): number {
  const random = seededRandom(seed);
  const cases = pairs
    .map(([before, after]) => ({ all: [...after, ...before], afters: after.length }))
    .filter(({ all }) => new Set(all).size > 1);
  const totals = cases.map(({ all }) => sumSimple(all));
  const difference = () =>
    cases.reduce((sum, { all, afters }, index) => {
      let after = 0;
      for (let place = 0; place < afters; place++) after += all[place]!;
      return sum + after / afters - (totals[index]! - after) / (all.length - afters);
    }, 0);
  const [seen, tiny] = [Math.abs(difference()), 1e-6];
  let asLarge = 1;
  for (let round = 0; round < permutations; round++) {
    for (const { all } of cases) shuffleInPlace(all, random);
    if (Math.abs(difference()) >= seen - tiny) asLarge += 1;
  }
  return asLarge / (permutations + 1);
}

function differenceOf(
  before: Figures | undefined,
  after: Figures | undefined,
  p: () => number,
): Difference | undefined {
  if (!before || !after) return undefined;
  const by = after.mean - before.mean;
  if (Math.abs(by) < 1e-9) return { by: 0, p: 1, verdict: 'same' };
  return { by, p: p(), verdict: 'noise' };
}

const named = (one: Difference): Difference['verdict'] => (one.by < 0 ? 'worse' : 'better');

/**
 * Names the differences of cases that are larger than the noise. Of many cases some differ by chance, so the procedure of
 * Benjamini and Hochberg bounds the share of wrong ones among those that are named.
 */
function nameDifferences(found: Difference[]): void {
  const sorted = found.toSorted((a, b) => a.p - b.p);
  const last = sorted.findLastIndex(({ p }, index) => p <= (level * (index + 1)) / sorted.length);
  for (const one of sorted.slice(0, last + 1)) if (one.verdict === 'noise') one.verdict = named(one);
}

/** Compares variants with the first one, case by case. */
export function compare(variants: Variant[]): Comparison {
  const keys = new Map<string, { eval: string; case: string }>();
  for (const { played } of variants)
    for (const { eval: ofEval, case: ofCase } of played)
      keys.set(JSON.stringify([ofEval, ofCase]), { eval: ofEval, case: ofCase });
  const cases = [...keys.values()].map((key) => {
    const trials = variants.map(({ played }) => played.filter((one) => one.eval === key.eval && one.case === key.case));
    const figures = trials.map((all) => (all.length > 0 ? figuresOf(all) : undefined));
    const differences = figures.map((after, index) =>
      index === 0
        ? undefined
        : differenceOf(figures[0], after, () => probabilityOf([[exact(trials[0]!), exact(trials[index]!)]])),
    );
    return { ...key, figures, differences, trials };
  });
  for (const index of variants.keys()) nameDifferences(cases.flatMap(({ differences }) => differences[index] ?? []));
  const evals = [...new Set(cases.map((one) => one.eval))].map((name) =>
    evalRow(
      name,
      cases.filter((one) => one.eval === name),
      variants,
    ),
  );
  const sorted = cases.toSorted((a, b) => rankOf(a) - rankOf(b));
  return { names: variants.map(({ name }) => name), evals, cases: sorted };
}

function evalRow(name: string, cases: Comparison['cases'], variants: Variant[]): Row {
  const all = variants.map((_, index) => {
    const own = cases.flatMap(({ figures }) => figures[index] ?? []);
    return own.length > 0 ? figuresOfAll(own) : undefined;
  });
  const differences = variants.map((_, index) => {
    // A case that only one of them has says nothing about the difference.
    const common = cases.filter(({ figures }) => index > 0 && figures[0] && figures[index]);
    if (common.length === 0) return undefined;
    const of = (one: number) => figuresOfAll(common.map(({ figures }) => figures[one]!));
    const pairs = common.map(({ trials }): Pair => [exact(trials[0]!), exact(trials[index]!)]);
    const found = differenceOf(of(0), of(index), () => probabilityOf(pairs));
    if (found && found.verdict === 'noise' && found.p <= level) found.verdict = named(found);
    return found;
  });
  return { eval: name, figures: all, differences };
}

/** Regressions, then other losses, cases that are gone, gains, and the rest in the order of their evals. */
function rankOf({ figures, differences }: Row): number {
  const [first, ...others] = figures;
  const found = differences.filter((one) => one !== undefined);
  if (found.some(({ verdict }) => verdict === 'worse')) return 0;
  if (found.some(({ by }) => by < 0)) return 1;
  if (first && others.includes(undefined)) return 2;
  return found.some(({ by }) => by > 0) ? 3 : 4;
}

/** Whether a variant is worse than the first one, in an eval or in a case, by more than the noise. */
export const hasRegressed = ({ evals, cases }: Comparison): boolean =>
  [...evals, ...cases].some(({ differences }) => differences.some((one) => one?.verdict === 'worse'));

/** The trial that shows most: one that does not hold, or the first one. */
const shownTrial = (trials: Played[]): Played | undefined => trials.find(({ holds }) => !holds) ?? trials[0];

/** Returns a trial of each variant: where a later one does not hold, one of the first variant that does, to show the difference. */
export function shownTrials({ trials: [first = [], ...others] }: Comparison['cases'][number]): (Played | undefined)[] {
  const later = others.map(shownTrial);
  const holding = later.some((one) => one?.holds === false) ? first.find(({ holds }) => holds) : undefined;
  return [holding ?? shownTrial(first), ...later];
}

/** The first step at which two transcripts differ; undefined if they are the same. */
export function partingStep(first: Entry[], other: Entry[]): number | undefined {
  const steps = Array.from({ length: Math.max(first.length, other.length) }, (_, step) => step);
  return steps.find((step) => JSON.stringify(first[step]) !== JSON.stringify(other[step]));
}

/** Returns the lines of a comparison in the terminal: evals, then cases that differ, regressions first. */
export function comparisonLines({ names, evals, cases }: Comparison): string[] {
  const lines: string[] = [];
  for (const [index, name] of names.entries()) {
    if (index === 0) continue;
    lines.push(`${name}, compared with ${names[0]}:`);
    for (const row of evals) {
      const found = row.differences[index];
      if (found) lines.push(`  ${row.eval}: ${change(row, index)}: ${verdictOf(found)}`);
    }
    for (const row of cases) {
      const [before, after, found] = [row.figures[0], row.figures[index], row.differences[index]];
      const at = `    ${row.eval}: ${row.case}`;
      if (before && !after) lines.push(`${at}: is gone`);
      if (!before && after) lines.push(`${at}: is new`);
      if (!found || found.verdict === 'same') continue;
      lines.push(`${at}: ${change(row, index)}: ${verdictOf(found)}`);
      if (found.by < 0) lines.push(...whysOf(shownTrial(row.trials[index]!)).map((why) => `        ${why}`));
    }
  }
  return lines;
}

const change = ({ figures }: Row, index: number): string => {
  const [before, after] = [figures[0]!, figures[index]!];
  return `${before.mean.toFixed(2)} to ${after.mean.toFixed(2)}, ${before.hold} of ${before.trials} to ${after.hold} of ${after.trials} hold`;
};

/** Says what a difference is, with its probability. */
export function verdictOf({ verdict, p }: Difference): string {
  if (verdict === 'same') return 'the same';
  const shown = p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`;
  return verdict === 'noise' ? `within the noise (${shown})` : `${verdict} (${shown})`;
}

/** Says why a trial does not hold, and which scores are less than 1. */
export const whysOf = (trial: Played | undefined): string[] => [
  ...(trial?.problem === undefined ? [] : [trial.problem]),
  ...(trial?.scores ?? []).filter(({ score }) => score < 1).map(({ name, score, why }) => `${name}: ${score}: ${why}`),
];
