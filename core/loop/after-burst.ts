import type { Registry } from '../agent/registry';
import { readCallsOfStep } from '../calls/call';
import { burstEvents, isStillAsked } from '../decisions/burst';
import { eventsOfStep } from '../decisions/route';
import type { Meta } from '../rows/meta';
import type { LoopInput, SegmentInput } from '../state/loop-state';
import { changeConversation } from '../store/change-conversation';
import type { Table } from '../store/table';
import { ConversationBusy, RunFailed } from '../text/errors';

/**
 * Returns the payload for where the run is after a burst. The one that the burst began with may be some steps behind; its calls are settled
 * then.
 *
 * @throws RunFailed if the burst has failed the run, so that this execution fails, too.
 * @throws ConversationBusy if the last model call of the burst still runs: to ask again would pay twice.
 */
export function afterBurst(input: LoopInput, { run }: Meta, now: Date): LoopInput {
  const { conversationId, runId, segment, left } = input;
  if (run?.id !== runId) return input;
  if (run.segment === segment && run.status === 'failed') throw new RunFailed(run.reason);
  if (run.segment === segment && isStillAsked(run.draft, run.step + 1, left!, now))
    throw new ConversationBusy('The burst has timed out, and its model call is still running.');
  return run.step > input.step ? { conversationId, runId, segment, step: run.step, left } : input;
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
