import { writeFileSync } from 'node:fs';
import { ConfigurationError } from '../../core/base/text/errors';
import { openStandIns } from '../../local/npm-start/stand-ins';
import { type Comparison, compare, comparisonLines, hasRegressed, partingStep, shownTrials } from '../eval/compare';
import { type Preference, preferenceName, preferred } from '../eval/judge';
import { pageOf } from '../eval/page';
import { playable, playEvals } from '../eval/play';
import { dollars, junitOf, linesOf, reportOf, totalOf } from '../eval/report';
import { readBaseline, readReport, shortNames, variantsOf } from '../eval/report-file';
import { startVigil } from '../testing/start-vigil';
import { evalFiles, evalsIn } from './eval-files';
import { countsOf, judgeBy, judgedWords, noKey, openReplies, repliesFolder } from './eval-replies';

export interface EvalCommandOptions {
  json?: string;
  junit?: string;
  /** A page, in one file. */
  html?: string;
  /** A report, or a revision of Git that has one. */
  baseline?: string;
  /** The share of trials that must hold, from 0 to 1. */
  threshold: string;
  trials: string;
  seed: string;
  /** Dollars. */
  budget?: string;
  app?: string;
  /** The models that play, instead of those that the evals name. */
  model: string[];
  /** Names of other variables that the functions get. */
  variable: string[];
}

/**
 * The variables that reach the functions. Other keys would let tools act on real services: `--variable` names those that
 * are meant.
 */
const ofModels = [
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_BASE_URL',
  'AWS_BEARER_TOKEN_BEDROCK',
  'VIGIL_MODEL',
  'VIGIL_PRICES',
];
/** A Monday that is not past for long: the clock of a cloud cannot go back. Dates are part of what a model reads. */
const begins = new Date('2040-01-02T09:00:00Z');
/** Nobody waits for a model that answers at once, and functions that run side by side are each loaded several times. */
const atOnceOfStandIn = 6;

type Say = (text: string) => void;

/**
 * Plays the evals of these files on the app of this folder, by default of `evals/*.eval.ts`.
 *
 * @returns whether so many trials hold as the threshold asks, and none is worse than in the baseline.
 * @throws Error in one line.
 */
export async function evaluate(files: string[], options: EvalCommandOptions, say: Say): Promise<boolean> {
  const threshold = numberOf('threshold', options.threshold, (one) => one >= 0 && one <= 1, 'a number from 0 to 1');
  const trials = numberOf(
    'trials',
    options.trials,
    (one) => Number.isInteger(one) && one > 0,
    'a whole number of at least 1',
  );
  const budget = numberOf('budget', options.budget ?? 'Infinity', (one) => one > 0, 'dollars, such as 2.50');
  const models = modelsIn(options.model);
  const { VIGIL_MODEL: ofAll } = process.env;
  if (models && ofAll) throw new ConfigurationError(`--model: VIGIL_MODEL makes all agents use "${ofAll}". Unset it.`);
  const evals = await evalsIn(evalFiles(files));
  const baseline = options.baseline === undefined ? undefined : readBaseline(options.baseline);
  const replies = await openReplies();
  // The search is never a real one.
  const standIns = await openStandIns({ OPENAI_API_KEY: process.env.OPENAI_API_KEY ?? (replies && noKey) });
  try {
    say(replies ? `Replies are kept in ${repliesFolder}.` : 'The stand-in model plays: no OPENAI_API_KEY.');
    const variables = {
      OPENAI_API_KEY: noKey,
      ...given([...ofModels, ...options.variable]),
      ...standIns.variables,
      ...(replies && { OPENAI_BASE_URL: replies.url }),
    };
    const vigil = await startVigil({ command: options.app, variables });
    try {
      let [done, cost] = [0, 0];
      const judge = replies && judgeBy(replies);
      const counted = (isAsked: boolean) =>
        trials *
        evals.reduce((sum, one) => sum + playable(one, isAsked).length * ((models ?? one.models)?.length ?? 1), 0);
      const all = counted(replies !== undefined);
      const played = await playEvals(vigil, evals, {
        trials,
        seed: options.seed,
        budgetMicrodollars: budget * 1_000_000,
        begins,
        models,
        ...(!replies && { atOnce: atOnceOfStandIn }),
        judge,
        onPlayed(one) {
          [done, cost] = [done + 1, cost + one.used.costMicrodollars + (one.persona?.used.costMicrodollars ?? 0)];
          const [first, ...whys] = linesOf(one);
          const paid = dollars(cost + (judge?.used().costMicrodollars ?? 0));
          for (const line of [`${first} ${done}/${all} ${paid}`, ...whys]) say(line);
        },
      });
      const report = reportOf(played, judge?.used(), counted(true) - all);
      if (options.json) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
      if (options.junit) writeFileSync(options.junit, junitOf(report));
      say(totalOf(report));
      if (replies) say(countsOf(replies));
      const sides = [...(baseline ? [{ name: options.baseline!, report: baseline }] : []), { name: 'now', report }];
      if (options.html) writeFileSync(options.html, pageOf(compare(variantsOf(sides))));
      if (models && models.length > 1)
        for (const line of comparisonLines(compare(variantsOf([{ name: 'now', report }])))) say(line);
      const isWorse = baseline !== undefined && comparedByModel(sides, say);
      return report.hold / report.trials >= threshold && !isWorse;
    } finally {
      await vigil.stop();
    }
  } finally {
    await replies?.stop();
    await standIns.stop();
  }
}

type Sides = Parameters<typeof variantsOf>[0];

/** Compares each model with itself. @returns whether one has become worse. */
function comparedByModel(sides: Sides, say: Say): boolean {
  const models = [...new Set(sides.flatMap(({ report }) => report.played.map(({ model }) => model)))];
  const comparisons = models.map((model) => {
    const own = sides.map(({ name, report }) => ({
      name,
      report: { played: report.played.filter((one) => one.model === model) },
    }));
    return compare(variantsOf(own));
  });
  for (const line of comparisons.flatMap(comparisonLines)) say(line);
  const [{ name, report }] = sides as [Sides[number], ...Sides];
  for (const model of models)
    if (model !== undefined && !report.played.some((one) => one.model === model))
      say(
        `${model} is not in ${name}, so it is compared with nothing: \`vigil eval compare\` compares it with other models.`,
      );
  return comparisons.some(hasRegressed);
}

/**
 * Compares reports that `vigil eval --json` has written with the first of them; of a single report, its models.
 *
 * @returns whether none is worse by more than the noise.
 * @throws Error in one line.
 */
export async function compareReports(
  files: string[],
  { html, rubric }: { html?: string; rubric?: string },
  say: Say,
): Promise<boolean> {
  if (files.length === 0)
    throw new ConfigurationError('Name reports: `vigil eval compare before.json after.json --html report.html`.');
  const names = shortNames(files);
  const comparison = compare(
    variantsOf(files.map((file, index) => ({ name: names[index]!, report: readReport(file) }))),
  );
  for (const line of comparisonLines(comparison)) say(line);
  const preferences = rubric === undefined ? undefined : await preferencesOf(comparison, rubric, say);
  if (html) writeFileSync(html, pageOf(comparison, preferences));
  return !hasRegressed(comparison);
}

/** Asks a judge which of the first two variants is better, in each case in which they differ. */
async function preferencesOf(comparison: Comparison, rubric: string, say: Say): Promise<Map<object, Preference>> {
  const replies = await openReplies();
  if (!replies) throw new ConfigurationError('--rubric asks a model: set OPENAI_API_KEY.');
  try {
    const judge = judgeBy(replies);
    const found = new Map<object, Preference>();
    for (const row of comparison.cases) {
      const [first, second] = shownTrials(row).map((one) => one?.transcript);
      if (!first || !second || partingStep(first, second) === undefined) continue;
      const preference = await preferred(judge.ask, { rubric }, [first, second]);
      found.set(row, preference);
      say(`    ${row.eval}: ${row.case}: better: ${preferenceName(preference, comparison.names)}. ${preference.why}`);
    }
    say(judgedWords(judge, replies));
    return found;
  } finally {
    await replies.stop();
  }
}

const given = (names: string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value ? [[name, value]] : [];
    }),
  );

/** @returns undefined if there are none. */
function modelsIn(models: string[]): string[] | undefined {
  if (models.some((one) => one.trim() === '')) throw new ConfigurationError('--model is "": it must name a model.');
  const twice = models.find((one, index) => models.indexOf(one) < index);
  if (twice) throw new ConfigurationError(`--model: has "${twice}" twice.`);
  return models.length > 0 ? models : undefined;
}

function numberOf(name: string, given: string, fits: (value: number) => boolean, words: string): number {
  const value = Number(given);
  if (given.trim() !== '' && fits(value)) return value;
  throw new ConfigurationError(`--${name} is "${given}": it must be ${words}.`);
}
