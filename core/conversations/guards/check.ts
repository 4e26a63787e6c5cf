import type { GuardPlace, GuardVerdict } from '../../base/schemas/guard-verdict';
import { clip } from '../../base/text/clip';
import { ConfigurationError, GuardFailed } from '../../base/text/errors';
import { isOwnError } from '../../base/text/failure-words';
import { asError } from '../../base/text/thrown';
import type { Values } from '../agent/tool';
import type { Ask, Guard, Guarded, Verdict } from './guard';

/** Gives a guard the values of its `needs`. @throws ConfigurationError if one is unset that is not optional. */
export type EquipGuard = <Answer>(
  guard: Guard,
  run: (given: { secrets: Values; variables: Values }) => Promise<Answer>,
) => Promise<Answer>;

/** What a process has for its guards. */
export interface GuardRunner {
  equip?: EquipGuard;
  deadline: AbortSignal;
}

/** Words after all guards of a place. Those of a refusal are not in it. */
export interface Checked {
  words: string;
  verdicts: GuardVerdict[];
  /** The guard that refuses the words, or asks a person, and why. */
  refused?: { guard: string; reason: string };
  asked?: { guard: string; reason: string };
}

type About = Omit<Guarded, 'secrets' | 'variables' | 'signal'>;

/** The pauses between attempts of one guard in one step, in milliseconds. The state machine repeats the step after that. */
const pauses = [100, 400];
const reasonCharacters = 500;
const mostBytes = 300_000;

/**
 * Asks the guards one after the other. Each reads the words as the one before has left them; after a refusal, none is asked.
 *
 * @throws GuardFailed if a guard fails three times in a row. ConfigurationError if it answers anything else than a verdict.
 */
export async function checkedBy(
  guards: readonly Guard[],
  words: string,
  about: About,
  runner: GuardRunner,
): Promise<Checked> {
  let checked: Checked = { words, verdicts: [] };
  for (const guard of guards) {
    const said = await verdictOf(guard, checked.words, about, runner);
    const noted = (verdict: GuardVerdict['verdict'], reason?: string): Checked => ({
      ...checked,
      verdicts: [
        ...checked.verdicts,
        {
          guard: guard.name,
          at: about.at,
          verdict,
          ...(about.file && { file: about.file.id }),
          ...(reason && { reason }),
        },
      ],
    });
    if (said === 'pass') checked = noted('passed');
    else if ('replace' in said)
      checked = { ...noted('replaced', shortened(said.reason)), words: clip(said.replace, { bytes: mostBytes }, '…') };
    else if ('ask' in said) {
      const reason = shortened(said.ask)!;
      checked = { ...noted('asked', reason), asked: checked.asked ?? { guard: guard.name, reason } };
    } else {
      const reason = shortened(said.refuse)!;
      return { ...noted('refused', reason), words: '', refused: { guard: guard.name, reason } };
    }
  }
  return checked;
}

const shortened = (reason: string | undefined) => reason && clip(reason, { characters: reasonCharacters }, '…');

async function verdictOf(
  guard: Guard,
  words: string,
  about: About,
  { equip = withoutNeeds, deadline }: GuardRunner,
): Promise<Verdict | Ask> {
  for (let attempt = 0; ; attempt++) {
    const signal = AbortSignal.any([AbortSignal.timeout(guard.timeoutSeconds * 1_000), deadline]);
    try {
      const said = await inTime(
        equip(guard, async (given) => guard.check(words, { ...about, ...given, signal })),
        signal,
      );
      return verdictIn(guard, about.at, said);
    } catch (thrown) {
      const error = asError(thrown);
      if (error.name === 'ConfigurationError') throw error;
      const pause = pauses[attempt];
      // A slow guard is not asked again by a function that is billed while it waits.
      if (pause === undefined || signal.aborted) throw failure(guard, error, signal);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

const withoutNeeds: EquipGuard = (_, run) => run({ secrets: {}, variables: {} });

/** A guard that ignores its signal is left behind. */
function inTime<Answer>(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  const over = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  answer.catch(() => undefined);
  return Promise.race([answer, over]);
}

/** Another error than one of Vigil's may quote the words, which people may not be meant to see. */
function failure({ name, timeoutSeconds }: Guard, error: Error, signal: AbortSignal): GuardFailed {
  const why = isOwnError(error) ? `: ${error.message}` : signal.aborted ? ` within ${timeoutSeconds} s.` : '.';
  const what = !isOwnError(error) && signal.aborted ? 'did not answer' : 'failed';
  return new GuardFailed(`The guard "${name}" ${what}${why}`, { cause: error });
}

/** @throws ConfigurationError for anything else: what the guard meant to stop would pass. */
function verdictIn({ name, at }: Guard, place: GuardPlace, said: unknown): Verdict | Ask {
  if (said === 'pass') return said;
  const fields = typeof said === 'object' && said !== null ? (said as Record<string, unknown>) : {};
  const isText = (field: string) => typeof fields[field] === 'string';
  const isReason = (field: string) => isText(field) && (fields[field] as string).trim() !== '';
  const given = ['replace', 'refuse', 'ask'].filter((field) => fields[field] !== undefined);
  const [only] = given.length === 1 ? given : [];
  if (only === 'replace' && isText('replace') && (fields.reason === undefined || isText('reason')))
    return said as Verdict;
  if (only === 'refuse' && isReason('refuse')) return said as Verdict;
  if (only === 'ask' && isReason('ask') && place === 'call') return said as Ask;
  if (only === 'ask' && place !== 'call')
    throw new ConfigurationError(
      `guard ${name}: check: only a guard of calls can ask a person, and this was ${place}.`,
    );
  throw new ConfigurationError(
    `guard ${name}: check: the function must return 'pass', { replace: text }, { refuse: reason }${at.includes('call') ? ' or { ask: reason }' : ''}.`,
  );
}
