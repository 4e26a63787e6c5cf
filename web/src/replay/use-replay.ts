import { useCallback, useMemo } from 'react';
import type { Run } from 'vigil-client/shared';
import { moveReplay, type ReplayPlace } from '../hooks/use-place';
import { type Shown, useConversation } from '../hooks/use-vigil';
import { isReply, type Moment, momentAt, momentsOf, type Rows } from './moments';
import { rowsAt, runAt } from './rows-at';

export interface ReplayProps {
  /** The conversation's id. */
  id: string;
  place: ReplayPlace;
}

/** A moment of a run, with the conversation as it stood then. */
export interface Replayed {
  moments: readonly Moment[];
  index: number;
  moment: Moment;
  steps: number;
  rows: Rows;
  run: Run;
  conversation: Shown;
}

/** @returns undefined if the run has no such moment, or is not read yet. */
export function useReplay({ id, place }: ReplayProps): Replayed | undefined {
  const { conversation } = useConversation(id);
  const { runId, step, nth } = place;
  const moments = useMemo(() => (conversation ? momentsOf(conversation, runId) : []), [conversation, runId]);
  const index = momentAt(moments, step, nth);
  const moment = moments[index];
  return useMemo(() => {
    if (!conversation || !moment) return undefined;
    const rows = rowsAt(conversation, moment.at);
    const run = runAt(runOf(conversation, runId), rows, moments, index);
    const steps = moments.at(-1)?.step ?? 0;
    return {
      moments,
      index,
      moment,
      steps,
      rows,
      run,
      conversation: { ...conversation, ...rows, ...standing(run), run },
    };
  }, [conversation, moments, index, moment, runId]);
}

export const useMove = ({ id, place: { runId } }: ReplayProps, moments: readonly Moment[] = []) =>
  useCallback(
    (index: number) => {
      const to = moments[Math.min(Math.max(index, 0), moments.length - 1)];
      if (to) moveReplay(id, { runId, step: to.step, nth: to.nth });
    },
    [id, runId, moments],
  );

/** The header's status. Whom a run waited for is in its calls. */
const standing = ({ status, until }: Run) => ({ status, until, waitsFor: undefined });

/** Of an earlier run, only its replies tell how it ended. */
function runOf({ run, messages }: Shown, id: string): Run {
  if (run?.id === id) return run;
  const last = messages.findLast((one) => one.runId === id && isReply(one));
  const status = last?.status === 'cancelled' ? 'cancelled' : last?.status === 'error' ? 'failed' : 'done';
  const usage = { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, costMicrodollars: 0 };
  return { id, status, agent: last?.author ?? '', segment: 1, step: last?.step ?? 0, usage };
}
