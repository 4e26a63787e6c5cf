import type { Conversation } from 'vigil-client';
import { clip } from '../../core/base/text/clip';
import { ConfigurationError } from '../../core/base/text/errors';
import type { Scorer } from './scorers';
import type { AnsweredCall } from './tool-rules';
import type { Trial, Used } from './trial';

/** What a trial of a case has shown. It has no times and no ids of its own, so that the same course gives the same report. */
export interface Played {
  eval: string;
  case: string;
  trial: number;
  /** Of several models. */
  model?: string;
  /** The calls of tools, if the case says who answers them. */
  answered?: AnsweredCall[];
  /** Whether it was played to its end, and each score is 1. */
  holds: boolean;
  /** Why it was not played to its end. */
  problem?: string;
  scores: ScoreOf[];
  used: Used;
}

interface ScoreOf {
  name: string;
  score: number;
  why: string;
}

/** What all trials have shown. */
export interface Report {
  trials: number;
  /** Trials that hold. */
  hold: number;
  used: Used;
  played: Played[];
}

/** Asks the scorers about a trial that has ended. @throws ConfigurationError if a scorer gives no score. */
export async function playedOf(ended: Pick<Trial, 'of' | 'judged' | 'answered' | 'problem' | 'used'>): Promise<Played> {
  const { of, judged, answered, problem } = ended;
  const scorers = [...(of.eval.scorers ?? []), ...(of.case.holds ?? [])];
  const scores: ScoreOf[] = [];
  if (judged) for (const one of scorers) scores.push(await scoreOf(one, judged, of.eval.name));
  return {
    ...{ eval: of.eval.name, case: of.case.name, trial: of.trial },
    ...(of.model !== undefined && { model: of.model }),
    ...(answered && { answered }),
    holds: problem === undefined && scores.length > 0 && scores.every(({ score }) => score === 1),
    ...(problem !== undefined && { problem }),
    ...{ scores, used: ended.used() },
  };
}

async function scoreOf({ name, score: judge }: Scorer, conversation: Conversation, ofEval: string): Promise<ScoreOf> {
  const { score, why = '' } = Object(await judge(conversation)) as Partial<ScoreOf>;
  if (typeof score === 'number' && score >= 0 && score <= 1) return { name, score, why };
  throw new ConfigurationError(
    `Eval ${ofEval}: the scorer "${name}" must return { score, why }, with a score from 0 to 1.`,
  );
}

export function reportOf(played: Played[]): Report {
  const sum = (what: keyof Used) => played.reduce((total, { used }) => total + used[what], 0);
  return {
    trials: played.length,
    hold: played.filter(({ holds }) => holds).length,
    used: { steps: sum('steps'), tokens: sum('tokens'), costMicrodollars: sum('costMicrodollars') },
    played,
  };
}

const widths = { verdict: 6, name: 60, steps: 9, money: 10 };

/** Returns the lines of a trial in the table: what it has used, and what does not hold. */
export function linesOf(played: Played): string[] {
  const { eval: ofEval, trial, holds, problem, scores, used } = played;
  const name = `${ofEval}: ${caseName(played)}${trial > 1 ? ` (${trial})` : ''}`;
  const cells = [
    (holds ? 'ok' : 'FAILS').padEnd(widths.verdict),
    clip(name, { characters: widths.name }).padEnd(widths.name),
    `${used.steps} steps`.padStart(widths.steps),
    dollars(used.costMicrodollars).padStart(widths.money),
  ];
  const whys = scores.filter(({ score }) => score < 1).map((one) => `${one.name}: ${one.score}: ${one.why}`);
  return [cells.join(' '), ...[problem, ...whys, ...answersIn(played)].filter(Boolean).map((why) => `       ${why}`)];
}

/** With its model, if there are several. */
const caseName = ({ case: ofCase, model }: Played): string => (model === undefined ? ofCase : `${ofCase} [${model}]`);

/** Says who has answered the calls of tools: `tools: get_balance recorded, transfer refused 2 times`. */
function answersIn({ answered = [] }: Played): string[] {
  if (answered.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { tool, by } of answered) counts.set(`${tool} ${by}`, (counts.get(`${tool} ${by}`) ?? 0) + 1);
  return [`tools: ${[...counts].map(([what, times]) => (times > 1 ? `${what} ${times} times` : what)).join(', ')}`];
}

/** Returns the last line of the table. */
export const totalOf = ({ trials, hold, used }: Report): string =>
  `${hold} of ${trials} hold. ${used.steps} steps, ${used.tokens} tokens, ${dollars(used.costMicrodollars)}.`;

export const dollars = (costMicrodollars: number): string => `$${(costMicrodollars / 1_000_000).toFixed(4)}`;

/** Returns a report in the JUnit format that CI systems read: a suite for each eval, a test case for each trial. */
export function junitOf({ played }: Report): string {
  const evals = [...new Set(played.map((one) => one.eval))];
  const suites = evals.map((name) => {
    const own = played.filter((one) => one.eval === name);
    const failures = own.filter(({ holds }) => !holds).length;
    const cases = own.map((one) => {
      const open = `    <testcase classname="${xml(name)}" name="${xml(one.trial > 1 ? `${caseName(one)} (${one.trial})` : caseName(one))}"`;
      const [, ...whys] = linesOf(one);
      const text = whys.map((why) => why.trim()).join('\n');
      const message = xml(whys[0]?.trim() ?? '');
      return one.holds
        ? `${open}/>`
        : `${open}>\n      <failure message="${message}">${xml(text)}</failure>\n    </testcase>`;
    });
    return `  <testsuite name="${xml(name)}" tests="${own.length}" failures="${failures}">\n${cases.join('\n')}\n  </testsuite>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('\n')}\n</testsuites>\n`;
}

const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** XML has no control characters, not even as references, besides tab and line ends. */
const xml = (words: string): string =>
  words.replace(/(?![\t\n\r])[\p{Cc}\p{Surrogate}\uFFFE\uFFFF]/gu, '\uFFFD').replace(/[&<>"]/g, (mark) => marks[mark]!);
