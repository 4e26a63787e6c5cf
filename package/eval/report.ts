import type { Conversation } from 'vigil-client';
import { clip } from '../../core/base/text/clip';
import { asError } from '../../core/base/text/thrown';
import type { PersonaShown } from './persona';
import type { ScoreContext, Scorer } from './scorers';
import type { AnsweredCall } from './tool-rules';
import { type Entry, transcriptOf } from './transcript';
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
  /** Whether it was played to its end, and each scorer holds. */
  holds: boolean;
  /** Why it was not played to its end, or not judged. */
  problem?: string;
  scores: ScoreOf[];
  /** Judges that were not asked, because the stand-in plays. */
  leftOut?: string[];
  used: Used;
  /** Of a case whose user a model plays. */
  persona?: PersonaShown;
  /** What happened. Missing if the conversation has not begun. */
  transcript?: Entry[];
}

export interface ScoreOf {
  name: string;
  score: number;
  why: string;
  /** Whether it holds, if the score does not say so. */
  holds?: boolean;
}

/** What all trials have shown. */
export interface Report {
  trials: number;
  /** Trials that hold. */
  hold: number;
  used: Used;
  /** What the judges have used. */
  judging?: Used;
  /** What the personas have used. */
  personas?: Used;
  /** Trials that were not played, because they have a persona, and the stand-in plays. */
  leftOut?: number;
  played: Played[];
}

/** Asks the scorers about a trial that has ended. One that throws, or gives no score, fails its own score. */
export async function playedOf(
  ended: Pick<Trial, 'of' | 'recorded' | 'judged' | 'answered' | 'problem' | 'used'> & { persona?: PersonaShown },
  context: ScoreContext = {},
): Promise<Played> {
  const { of, recorded, judged, answered } = ended;
  const scorers = [...(of.eval.scorers ?? []), ...(of.case.holds ?? [])];
  const scores: ScoreOf[] = [];
  const leftOut: string[] = [];
  let { problem } = ended;
  for (const one of judged ? scorers : []) {
    try {
      const score = await scoreOf(one, judged!, context);
      if (score) scores.push(score);
      else leftOut.push(one.name);
    } catch (error) {
      const { name, message } = asError(error);
      // What a judge does not say is no fault of the agent, but nothing is shown.
      if (name === 'JudgeFailed') problem ??= `${one.name}: ${message}`;
      else scores.push({ name: one.name, score: 0, why: `the scorer failed: ${name}: ${message}`, holds: false });
    }
  }
  return {
    eval: of.eval.name,
    case: of.case.name,
    trial: of.trial,
    ...(of.model !== undefined && { model: of.model }),
    ...(answered && { answered }),
    holds: problem === undefined && scores.length > 0 && scores.every(isHolding),
    ...(problem !== undefined && { problem }),
    scores,
    ...(leftOut.length > 0 && { leftOut }),
    used: ended.used(),
    ...(ended.persona && { persona: ended.persona }),
    ...(recorded && { transcript: transcriptOf(recorded) }),
  };
}

export const isHolding = ({ score, holds = score === 1 }: Pick<ScoreOf, 'score' | 'holds'>): boolean => holds;

async function scoreOf(
  { name, score: judge }: Scorer,
  conversation: Conversation,
  context: ScoreContext,
): Promise<ScoreOf | undefined> {
  const given = await judge(conversation, context);
  if (given === undefined && !context.ask) return undefined;
  const { score, why = '', holds } = Object(given) as Partial<ScoreOf>;
  if (typeof score === 'number' && score >= 0 && score <= 1)
    return { name, score, why, ...(holds !== undefined && { holds }) };
  throw new TypeError('it must return { score, why }, with a score from 0 to 1');
}

/** The trials of a case are alike. Which one got which kept reply differs, so their numbers follow from what they have shown. */
function inOrder(played: Played[]): Played[] {
  const groups = new Map<string, Played[]>();
  for (const one of played) {
    const key = keyOf(one);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((trials) =>
    trials
      .map((one) => ({ one, shown: JSON.stringify([!one.holds, { ...one, trial: 0 }]) }))
      .toSorted((a, b) => (a.shown < b.shown ? -1 : Number(a.shown > b.shown)))
      .map(({ one }, index) => ({ ...one, trial: index + 1 })),
  );
}

const keyOf = (one: Played): string => JSON.stringify([one.eval, one.case, one.model]);

export function reportOf(played: Played[], judging?: Used, leftOut = 0): Report {
  const personas = sumOf(played.flatMap(({ persona }) => persona?.used ?? []));
  return {
    trials: played.length,
    hold: played.filter(({ holds }) => holds).length,
    used: sumOf(played.map(({ used }) => used)),
    ...(judging && judging.steps > 0 && { judging }),
    ...(personas.steps > 0 && { personas }),
    ...(leftOut > 0 && { leftOut }),
    played: inOrder(played),
  };
}

function sumOf(all: Used[]): Used {
  const sum = (what: keyof Used) => all.reduce((total, used) => total + used[what], 0);
  return { steps: sum('steps'), tokens: sum('tokens'), costMicrodollars: sum('costMicrodollars') };
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
  const whys = scores.filter((one) => !isHolding(one)).map((one) => `${one.name}: ${one.score}: ${one.why}`);
  return [
    cells.join(' '),
    ...[problem, ...whys, ...turnsIn(played), ...answersIn(played)].filter(Boolean).map((why) => `       ${why}`),
  ];
}

/** With its model, if there are several. */
const caseName = ({ case: ofCase, model }: Played): string => (model === undefined ? ofCase : `${ofCase} [${model}]`);

/** Says what the persona did: `persona: 3 turns, done: I have my money back.` */
const turnsIn = ({ persona }: Played): string[] =>
  persona
    ? [`persona: ${persona.turns} turns, ${persona.done === undefined ? 'not done' : `done: ${persona.done}`}`]
    : [];

/** Says who has answered the calls of tools: `tools: get_balance recorded, transfer refused 2 times`. */
function answersIn({ answered = [] }: Played): string[] {
  if (answered.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { tool, by } of answered) counts.set(`${tool} ${by}`, (counts.get(`${tool} ${by}`) ?? 0) + 1);
  return [`tools: ${[...counts].map(([what, times]) => (times > 1 ? `${what} ${times} times` : what)).join(', ')}`];
}

/** Returns the last line of the table. */
export function totalOf({ trials, hold, used, judging, personas, leftOut = 0, played }: Report): string {
  const unasked = played.reduce((sum, one) => sum + (one.leftOut?.length ?? 0), 0);
  return [
    `${hold} of ${trials} hold. ${used.steps} steps, ${used.tokens} tokens, ${dollars(used.costMicrodollars)}.`,
    ...(judging ? [`Judges: ${judging.steps} questions, ${dollars(judging.costMicrodollars)}.`] : []),
    ...(personas ? [`Personas: ${personas.steps} questions, ${dollars(personas.costMicrodollars)}.`] : []),
    ...(unasked > 0 ? [`${unasked} questions to judges were left out: the stand-in cannot judge.`] : []),
    ...(leftOut > 0 ? [`${leftOut} trials with a persona were left out: the stand-in cannot play one.`] : []),
  ].join(' ');
}

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
