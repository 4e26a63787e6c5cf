import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { ConfigurationError } from '../../core/base/text/errors';
import { problemOf } from '../../local/build/problem';
import { openStandIns } from '../../local/npm-start/stand-ins';
import type { Eval } from '../eval/define';
import { playEvals } from '../eval/play';
import { openRecordedReplies, type RecordedReplies } from '../eval/recorded-replies';
import { dollars, junitOf, linesOf, reportOf, totalOf } from '../eval/report';
import { startVigil } from '../testing/start-vigil';

export interface EvalCommandOptions {
  json?: string;
  junit?: string;
  /** The share of trials that must hold, from 0 to 1. */
  threshold: string;
  trials: string;
  seed: string;
  /** Dollars. */
  budget?: string;
  app?: string;
  /** Names of other variables that the functions get. */
  variable: string[];
}

/**
 * The variables that reach the functions. Other keys would let tools act on real services: `--variable` names those that
 * are meant.
 */
const ofModels = [
  ...['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'AWS_BEARER_TOKEN_BEDROCK'],
  ...['VIGIL_MODEL', 'VIGIL_PRICES'],
];
/** What a model has said is committed with the cases. */
const repliesFolder = join('evals', '.replies');
/** A Monday that is not past for long: the clock of a cloud cannot go back. */
const beginsWithReplies = new Date('2040-01-02T09:00:00Z');
const noKey = 'none';
const openAi = 'https://api.openai.com/v1';

/**
 * Plays the evals of these files on the app of this folder, by default of `evals/*.eval.ts`.
 *
 * @returns whether so many trials hold as the threshold asks.
 * @throws Error in one line.
 */
export async function evaluate(
  files: string[],
  options: EvalCommandOptions,
  say: (text: string) => void,
): Promise<boolean> {
  const threshold = numberOf('threshold', options.threshold, (one) => one >= 0 && one <= 1, 'a number from 0 to 1');
  const trials = numberOf(
    'trials',
    options.trials,
    (one) => Number.isInteger(one) && one > 0,
    'a whole number of at least 1',
  );
  const budget = numberOf('budget', options.budget ?? 'Infinity', (one) => one > 0, 'dollars, such as 2.50');
  const evals = await evalsIn(files.length > 0 ? files : filesHere());
  const { OPENAI_API_KEY, OPENAI_BASE_URL = openAi } = process.env;
  const isKept = existsSync(repliesFolder);
  // The search is never a real one.
  const standIns = await openStandIns({ OPENAI_API_KEY: OPENAI_API_KEY ?? (isKept ? noKey : undefined) });
  const provider = OPENAI_API_KEY ? OPENAI_BASE_URL.replace(/\/$/, '') : undefined;
  const replies = provider || isKept ? await openRecordedReplies({ folder: repliesFolder, provider }) : undefined;
  try {
    say(replies ? `Replies are kept in ${repliesFolder}.` : 'The stand-in model plays: no OPENAI_API_KEY.');
    const variables = {
      ...{ OPENAI_API_KEY: noKey, ...given([...ofModels, ...options.variable]), ...standIns.variables },
      ...(replies && { OPENAI_BASE_URL: replies.url }),
    };
    const vigil = await startVigil({ command: options.app, variables });
    try {
      let [done, cost] = [0, 0];
      const all = trials * evals.reduce((sum, { cases, models }) => sum + cases.length * (models?.length ?? 1), 0);
      const played = await playEvals(vigil, evals, {
        ...{ trials, seed: options.seed, budgetMicrodollars: budget * 1_000_000 },
        // Dates are part of what a model reads.
        ...(replies && { begins: beginsWithReplies }),
        onPlayed(one) {
          [done, cost] = [done + 1, cost + one.used.costMicrodollars];
          const [first, ...whys] = linesOf(one);
          for (const line of [`${first} ${done}/${all} ${dollars(cost)}`, ...whys]) say(line);
        },
      });
      const report = reportOf(played);
      if (options.json) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
      if (options.junit) writeFileSync(options.junit, junitOf(report));
      say(totalOf(report));
      if (replies) say(countsOf(replies));
      return report.hold / report.trials >= threshold;
    } finally {
      await vigil.stop();
    }
  } finally {
    await replies?.stop();
    await standIns.stop();
  }
}

const countsOf = ({ counts: { kept, asked, missing } }: RecordedReplies): string =>
  `${kept} replies were kept, ${asked} were asked for${missing > 0 ? `, ${missing} were missing: set OPENAI_API_KEY to record them` : ''}.`;

const given = (names: string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value ? [[name, value]] : [];
    }),
  );

function filesHere(): string[] {
  const found = existsSync('evals') ? readdirSync('evals').filter((file) => file.endsWith('.eval.ts')) : [];
  if (found.length > 0) return found.sort().map((file) => join('evals', file));
  throw new ConfigurationError('There is no eval here: write evals/<name>.eval.ts, or name a file.');
}

async function evalsIn(files: string[]): Promise<Eval[]> {
  const found: Eval[] = [];
  for (const file of files) found.push(...(await evalsOf(file)));
  const names = found.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice) throw new ConfigurationError(`Two evals have the name "${twice}": a report could not tell them apart.`);
  return found;
}

/** Node does not run TypeScript of every version, so the file is bundled first. */
async function evalsOf(file: string): Promise<Eval[]> {
  const path = resolve(file);
  if (!existsSync(path)) throw new ConfigurationError(`${file} does not exist.`);
  const module = { exports: {} };
  try {
    const { outputFiles } = await build({
      ...{ entryPoints: [path], bundle: true, packages: 'external', platform: 'node', format: 'cjs' },
      ...{ write: false, logLevel: 'silent' },
    });
    new Function('module', 'exports', 'require', outputFiles[0]!.text)(module, module.exports, createRequire(path));
  } catch (error) {
    throw new ConfigurationError(problemOf(error, process.cwd()));
  }
  const found = Object.values(module.exports).filter((one): one is Eval => (one as Partial<Eval>)?.kind === 'eval');
  if (found.length > 0) return [...new Set(found)];
  throw new ConfigurationError(`${file} exports no eval: \`export default defineEval({ … })\`.`);
}

function numberOf(name: string, given: string, fits: (value: number) => boolean, words: string): number {
  const value = Number(given);
  if (given.trim() !== '' && fits(value)) return value;
  throw new ConfigurationError(`--${name} is "${given}": it must be ${words}.`);
}
