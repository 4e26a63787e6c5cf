import { attemptSeconds, type Tool } from '../agent/tool';
import type { Draft } from '../rows/meta';
import { type Retry, throttledErrors } from '../state/failed-attempts';
import type { LoopInput, LoopOutput } from '../state/loop-state';
import { clockToleranceMs } from '../state/waiting';

/**
 * A burst makes steps of a run in an Express execution, which costs no transitions. AWS ends it after five minutes, so what might
 * not end by then is left to the Standard execution that has started the burst. That one reads from the table how far the burst has
 * come, so it goes on in the same way after a burst that has left something, has failed or has timed out, and after a lost answer.
 */
export const burstSeconds = 300;

/** A burst begins no model call in its last minute. Few calls take longer; of those that do, nothing is lost (`isStillAsked`). */
const modelSeconds = 60;
/** For the start of a function, for its state's own timeout, and for clocks that differ. */
const marginSeconds = 15;

/** The events that a burst adds to the Standard history, with the wait after a lost answer. */
export const burstEvents = 15;

const secondsLeft = (startedAt: string, now: Date): number =>
  burstSeconds - (now.getTime() - Date.parse(startedAt)) / 1_000;

export const hasTimeForModel = (burst: string, now: Date): boolean => secondsLeft(burst, now) >= modelSeconds;

/** Whether the burst can do what CallModel has decided. It ends with a `done`, and CallModel itself decides again after `again`. */
export function fitsBurst(
  { next, call, calls = [] }: LoopOutput,
  tools: ReadonlyMap<string, Tool>,
  burst: string,
  now: Date,
): boolean {
  if (next === 'done' || next === 'again') return true;
  if (next !== 'many' && !next.startsWith('tool:')) return false;
  return [...(call ? [call] : []), ...calls].every((one) => {
    const tool = one.next.startsWith('tool:') ? tools.get(one.next.slice('tool:'.length)) : undefined;
    return tool?.kind === 'function' && secondsOf(tool) <= secondsLeft(burst, now);
  });
}

/**
 * Returns how long a call may take. An attempt fits in any case. Further attempts, which mostly fail as fast as the first, go on in
 * the Standard execution if they take too long after all. A `once` tool could not: a running attempt would make its outcome unknown.
 */
function secondsOf(tool: Extract<Tool, { kind: 'function' }>): number {
  const attempts = tool.effect === 'once' ? 1 + tool.retry.maxAttempts : 1;
  return attempts * (attemptSeconds(tool) + marginSeconds) + pauses(tool.retry);
}

const pauses = ({ maxAttempts, intervalSeconds, backoffRate, maxDelaySeconds }: Retry): number =>
  Array.from({ length: maxAttempts }, (_, nth) =>
    Math.min(maxDelaySeconds, intervalSeconds * backoffRate ** nth),
  ).reduce((sum, one) => sum + one, 0);

/** Whether the burst has met that AWS has no capacity for a tool. Waiting for it takes hours. */
export const lacksCapacity = ({ error, calls = [] }: LoopInput): boolean =>
  [error, ...calls.map((call) => call.error)].some((one) => one && throttledErrors.includes(one.Error));

/**
 * Whether the model call of a burst that has timed out may still run: Lambda ends no function because nobody waits for it. A burst that has
 * ended before its time has no such call.
 */
export const isStillAsked = (draft: Draft | undefined, step: number, left: string, now: Date): boolean =>
  draft?.step === step &&
  secondsLeft(left, now) * 1_000 <= clockToleranceMs &&
  draft.until !== undefined &&
  draft.until > now.toISOString();
