import { type Retry, throttledErrors } from '../../base/state/failed-attempts';
import type { LoopInput, LoopOutput, SegmentInput } from '../../base/state/loop-state';
import { clockToleranceMs } from '../../base/state/waiting';
import { ConversationBusy, RunFailed } from '../../base/text/errors';
import type { Registry } from '../../conversations/agent/registry';
import { attemptSeconds, type Tool } from '../../conversations/agent/tool';
import { readCallsOfStep } from '../../conversations/calls/call';
import { eventsOfStep } from '../../conversations/decisions/route';
import type { Draft, Meta } from '../../conversations/rows/meta';
import { changeConversation } from '../../conversations/store/change-conversation';
import type { Table } from '../../conversations/store/table';

/**
 * A burst makes steps of a run in an Express execution, which costs no transitions. AWS ends it after five minutes, so what might
 * not end by then is left to the Standard execution that has started the burst. That one reads from the table how far the burst has
 * come, so it continues in the same way after a burst that has left something, has failed or has timed out, and after a lost answer.
 */
export const burstSeconds = 300;

/** A burst begins no model call in its last minute. Few calls take longer; of those that do, nothing is lost (`isStillAsked`). */
const modelSeconds = 60;
/** For the start of a function, for its state's own timeout, and for clocks that differ. */
const marginSeconds = 15;

/** The events that a burst adds to the Standard history, with the wait after a lost answer. */
const burstEvents = 15;

const secondsLeft = (startedAt: string, now: Date): number =>
  burstSeconds - (now.getTime() - Date.parse(startedAt)) / 1_000;

/**
 * Makes a step in a burst. The answer is `leave-burst` if what follows may take longer than the burst, or if AWS has no capacity for a
 * tool, because waiting for it takes hours.
 */
export async function advanceInBurst(
  input: LoopInput & { burst: string },
  { tools, now }: { tools: ReadonlyMap<string, Tool>; now(): Date },
  advanceRun: () => Promise<LoopOutput>,
): Promise<LoopOutput> {
  const { burst, conversationId, runId, segment, step } = input;
  const leaving: LoopOutput = { conversationId, runId, segment, step, next: 'leave-burst' };
  if (lacksCapacity(input)) return leaving;
  const output = await advanceRun();
  return fitsBurst(output, tools, burst, now()) ? output : leaving;
}

export const lacksTimeForModel = ({ burst }: LoopInput, now: Date): boolean =>
  burst !== undefined && secondsLeft(burst, now) < modelSeconds;

/** Whether the burst can do what CallModel has decided. It ends with a `done`, and CallModel itself decides again after `again`. */
function fitsBurst(
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
 * Returns how long a call may take. An attempt fits in any case. Further attempts, which mostly fail as fast as the first, are made
 * by the Standard execution if they take too long after all. A `once` tool could not be: a running attempt would make its outcome
 * unknown.
 */
function secondsOf(tool: Extract<Tool, { kind: 'function' }>): number {
  const attempts = tool.effect === 'once' ? 1 + tool.retry.maxAttempts : 1;
  return attempts * (attemptSeconds(tool) + marginSeconds) + pauses(tool.retry);
}

const pauses = ({ maxAttempts, intervalSeconds, backoffRate, maxDelaySeconds }: Retry): number =>
  Array.from({ length: maxAttempts }, (_, nth) =>
    Math.min(maxDelaySeconds, intervalSeconds * backoffRate ** nth),
  ).reduce((sum, one) => sum + one, 0);

const lacksCapacity = ({ error, calls = [] }: LoopInput): boolean =>
  [error, ...calls.map((call) => call.error)].some((one) => one && throttledErrors.includes(one.Error));

/**
 * Whether the model call of a burst that has timed out may still run: Lambda ends no function because nobody waits for it. A burst that has
 * ended before its time has no such call.
 */
const isStillAsked = (draft: Draft | undefined, step: number, burstEndedAt: string, now: Date): boolean =>
  draft?.step === step &&
  secondsLeft(burstEndedAt, now) * 1_000 <= clockToleranceMs &&
  draft.until !== undefined &&
  draft.until > now.toISOString();

/**
 * Returns the payload for where the run is after a burst. The one that the burst began with may be some steps behind; its calls are settled
 * then.
 *
 * @throws RunFailed if the burst has failed the run, so that this execution fails, too.
 * @throws ConversationBusy if the last model call of the burst still runs: to ask again would pay twice.
 */
export function afterBurst(input: LoopInput, { run }: Meta, now: Date): LoopInput {
  const { conversationId, runId, segment, burstEndedAt } = input;
  if (run?.id !== runId) return input;
  if (run.segment === segment && run.status === 'failed') throw new RunFailed(run.reason);
  if (run.segment === segment && isStillAsked(run.draft, run.step + 1, burstEndedAt!, now))
    throw new ConversationBusy('The burst has timed out, and its model call is still running.');
  return run.step > input.step ? { conversationId, runId, segment, step: run.step, burstEndedAt } : input;
}

/**
 * Adds to the estimate of the history what the Standard execution does after a burst. The steps of the burst have added nothing. A segment
 * without a step stays at 0, which says that.
 */
export async function countBurst(table: Table, at: SegmentInput, tools: Registry['tools']): Promise<void> {
  const calls = await readCallsOfStep(table, at.conversationId, at.runId, at.step);
  const events = burstEvents + eventsOfStep(calls, [...tools.values()]);
  await changeConversation<void>(table, at.conversationId, (meta) => {
    const { run } = meta;
    if (run?.id !== at.runId || run.segment !== at.segment || run.segmentEvents === 0) return { answer: undefined };
    return { meta: { ...meta, run: { ...run, segmentEvents: run.segmentEvents + events } }, answer: undefined };
  });
}
