import {
  anything,
  checkOptions,
  fields,
  listOf,
  number,
  optional,
  rule,
  text,
} from '../../core/base/schemas/definition';
import { ConfigurationError } from '../../core/base/text/errors';
import type { Vigil } from '../testing/vigil';
import type { JudgeModel } from './ask-judge';
import type { Case, Eval } from './define';
import { asksFirst, openReplay, type Replay } from './replay';
import { type Played, playedOf } from './report';
import { Trial, type TrialName } from './trial';

export interface PlayOptions {
  /** How often each case is played. Default 1. */
  trials?: number;
  /** The same seed gives the same users and ids. Default `vigil`. */
  seed?: string;
  /** How many conversations share the clock. Default 25. */
  atOnce?: number;
  /** All cases are stopped once they have used more money together. */
  budgetMicrodollars?: number;
  /** When the first conversations begin, if that is not past. By default, on the next Monday at 09:00 UTC. */
  begins?: Date;
  /** Whom scorers ask that judge, and who plays personas. Without it, these scorers and the cases of personas are left out. */
  judge?: JudgeModel;
  /** The models that play, instead of those of the evals. */
  models?: string[];
  /** Is told of each trial when it has ended. */
  onPlayed?: (played: Played) => void;
}

const count = rule((value) => Number.isInteger(value) && Number(value) > 0, 'must be a whole number of at least 1');
const aTime = rule((value) => value instanceof Date && !Number.isNaN(+value), 'must be a Date');
const playOptions = fields<PlayOptions>({
  trials: optional(count),
  seed: optional(text),
  atOnce: optional(count),
  budgetMicrodollars: optional(number),
  onPlayed: anything,
  begins: optional(aTime),
  judge: anything,
  models: optional(listOf(text)),
});

const weekMs = 7 * 86_400_000;
/** A Monday at nine. */
const aMonday = Date.UTC(2024, 0, 1, 9);
/** How long running functions may take: a model may think for minutes. */
const withinMs = 600_000;
const [firstMoveMs, longestMoveMs] = [1_000, 86_400_000];
/** Moves in a row without an act: half a year, if nobody is due. */
const mostMoves = 200;

/**
 * Plays the cases of evals on a running app. Conversations that are played together share its clock: it moves only when
 * nothing runs and nobody has anything to do, and then to the next time at which one of them is due, so that none is
 * late for its own times. Each begins on a Monday at 09:00 UTC.
 *
 * @returns the trials in the order of their definitions.
 */
export async function playEvals(vigil: Vigil, evals: Eval[], options: PlayOptions = {}): Promise<Played[]> {
  checkOptions('playEvals', options, playOptions);
  const { trials = 1, seed = 'vigil', atOnce = 25, budgetMicrodollars = Number.POSITIVE_INFINITY, judge } = options;
  const names = evals.flatMap((one) =>
    playable(one, judge !== undefined).flatMap((each) =>
      (options.models ?? one.models ?? [undefined]).flatMap((model) =>
        numbered(trials, { eval: one, case: each, model }),
      ),
    ),
  );
  const played = new Map<Trial, Played>();
  const all = names.map((name) => new Trial(vigil, name, seed, judge?.ask));
  const judging = () => judge?.used().costMicrodollars ?? 0;
  const isTooMuch = () => all.reduce((sum, trial) => sum + trial.costMicrodollars(), judging()) > budgetMicrodollars;
  /** As soon as it has ended. */
  async function tell(): Promise<void> {
    const ended = all.filter((one) => one.isOver() && !played.has(one));
    // Judges take seconds.
    const judged = await Promise.all(ended.map((trial) => playedOf(trial, { ask: judge?.ask })));
    for (const [index, one] of judged.entries()) {
      played.set(ended[index]!, one);
      options.onPlayed?.(one);
    }
  }
  const replay = all.some((trial) => trial.needsReplay()) || asksFirst(vigil) ? await openReplay(vigil) : undefined;
  try {
    for (const one of replay ? evals : []) checkLive(one, replay!);
    for (let from = 0; from < all.length; from += atOnce) {
      if (!isTooMuch()) await begin(vigil, options.begins);
      await playTogether(vigil, all.slice(from, from + atOnce), { replay, isTooMuch, tell });
      await tell();
    }
    // What was cancelled is rolled back, and asks for answers.
    if (replay) await vigil.advance('PT0S', { withinMs });
  } finally {
    await replay?.stop();
  }
  return all.map((trial) => played.get(trial)!);
}

/** The cases that are played: those of personas need a model that is asked. */
export const playable = ({ cases }: Eval, isAsked: boolean): Case[] =>
  cases.filter(({ persona }) => isAsked || persona === undefined);

const numbered = (trials: number, of: Omit<TrialName, 'trial'>): TrialName[] =>
  Array.from({ length: trials }, (_, index) => ({ ...of, trial: index + 1 }));

/** @throws ConfigurationError if a case lets a tool run that has an effect, or replaces one that does not exist. */
function checkLive({ name, cases }: Eval, { registry }: Replay): void {
  for (const [index, { live = [], tools = {} }] of cases.entries()) {
    const named = [
      ...Object.keys(tools).map((tool) => ['tools', tool]),
      ...(live === true ? [] : live).map((tool) => ['live', tool]),
    ];
    for (const [field, toolName] of named as [string, string][]) {
      const tool = registry.tools.get(toolName);
      const at = `Eval ${name}: cases[${index}].${field}: ${toolName}`;
      if (tool?.kind !== 'function') throw new ConfigurationError(`${at} is no tool with a function.`);
      if (field === 'live' && tool.effect !== 'read')
        throw new ConfigurationError(`${at} has effects ("${tool.effect}"): give its result in \`tools\`.`);
    }
  }
}

/** Moves the clock to when conversations begin. */
async function begin(vigil: Vigil, begins?: Date): Promise<void> {
  const now = +(await vigil.now());
  const monday = now + weekMs - ((now - aMonday) % weekMs);
  await vigil.advanceTo(begins && +begins > now ? begins : new Date(monday), { jump: true });
}

/** Plays conversations that share the clock, until all have ended. */
async function playTogether(
  vigil: Vigil,
  trials: Trial[],
  { replay, isTooMuch, tell }: { replay?: Replay; isTooMuch: () => boolean; tell: () => Promise<void> },
): Promise<void> {
  const stopAll = (problem: string) => Promise.all(trials.map((trial) => trial.stop(problem)));
  if (isTooMuch()) return void (await stopAll(spentAll));
  const begun = +(await vigil.now());
  await Promise.all(trials.map((trial) => trial.begin(begun, replay)));
  for (let [moves, moveMs] = [0, firstMoveMs]; ; ) {
    // Until nothing runs.
    await vigil.advance('PT0S', { withinMs });
    await tell();
    const open = trials.filter((trial) => !trial.isOver());
    if (open.length === 0) return;
    const now = +(await vigil.now());
    const turns = await Promise.all(open.map((trial) => trial.turn(now)));
    if (isTooMuch()) return void (await stopAll(spentAll));
    if (turns.includes(true)) {
      [moves, moveMs] = [0, firstMoveMs];
      continue;
    }
    if (moves++ === mostMoves) return void (await stopAll('stopped: its agent does not come to rest'));
    const due = open.map((trial) => trial.dueAt()).filter((time) => time !== undefined && time > now) as number[];
    const next = Math.min(...due, open.some((trial) => trial.isBusy()) || due.length === 0 ? now + moveMs : Infinity);
    await vigil.advance(`PT${(next - now) / 1_000}S`, { withinMs });
    moveMs = Math.min(2 * moveMs, longestMoveMs);
  }
}

const spentAll = 'stopped: the cases have used the budget';
