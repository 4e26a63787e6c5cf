import { useRef, useState } from 'react';
import { RequestFailed, type WaitingApproval } from 'vigil-client';
import { useClient } from 'vigil-client/react';
import { wordsOf } from 'vigil-client/shared';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import type { Verdict } from './together';

/** What has become of one decision. */
export type Outcome =
  | { is: 'sending' | 'stored' }
  /** Somebody else was first, or it has ended. */
  | { is: 'late'; words: string }
  | { is: 'refused'; words: string }
  /** There was no answer, so nobody here knows whether it is stored. */
  | { is: 'unknown'; words: string };

/** The outcomes by the callbacks' ids. What is not sent has none. */
export type Outcomes = ReadonlyMap<string, Outcome>;

const lateWords = (): string => t('somebody else has decided about it, or it has ended');

/**
 * Returns what has become of a decision whose request has failed.
 *
 * @param mine the decision. If the answer to an earlier request was lost, the API says that it is stored.
 */
export function outcomeOf(error: unknown, mine: { user: string; verdict: Verdict }): Outcome {
  if (!(error instanceof RequestFailed)) return { is: 'refused', words: wordsOf(error) };
  if (error.passing) return { is: 'unknown', words: error.message };
  if (error.status !== 409) return { is: 'refused', words: error.message };
  const { approved, by } = (error.problem?.outcome ?? {}) as { approved?: boolean; by?: string };
  const isMine = by === mine.user && approved === (mine.verdict === 'approve');
  return isMine ? { is: 'stored' } : { is: 'late', words: lateWords() };
}

/**
 * Decides about several, one after another. One that fails does not hold up the others, and none is sent twice by itself: what had no
 * answer is sent again only on request.
 */
export function useDecisions(items: readonly WaitingApproval[], verdict: Verdict) {
  const { approvals } = useClient();
  const { act, me } = useVigil();
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map());
  const [isRunning, setRunning] = useState(false);
  const known = useRef(new Map<string, Outcome>());
  const isBusy = useRef(false);
  const isStopped = useRef(false);

  function settle(id: string, outcome: Outcome): void {
    known.current.set(id, outcome);
    setOutcomes(new Map(known.current));
  }

  async function decide(reason?: string): Promise<Outcomes> {
    if (isBusy.current) return known.current;
    isBusy.current = true;
    isStopped.current = false;
    setRunning(true);
    for (const { conversationId, callback } of items) {
      const before = known.current.get(callback.id);
      if (before && before.is !== 'unknown') continue;
      if (isStopped.current) break;
      const { status, approvals: waiting } = approvals.getSnapshot();
      // One that had no answer may be gone because it is stored: the API says so.
      if (!before && status === 'ready' && !waiting.some((one) => one.callback.id === callback.id)) {
        settle(callback.id, { is: 'late', words: lateWords() });
        continue;
      }
      settle(callback.id, { is: 'sending' });
      const body = verdict === 'approve' ? { approved: true } : { approved: false, ...(reason && { reason }) };
      await act.decideOrThrow(conversationId, callback, body).then(
        () => settle(callback.id, { is: 'stored' }),
        (error: unknown) => settle(callback.id, outcomeOf(error, { user: me.user, verdict })),
      );
    }
    isBusy.current = false;
    setRunning(false);
    return known.current;
  }

  return {
    outcomes,
    isRunning,
    decide,
    /** Sends no further one. */
    stop: () => {
      isStopped.current = true;
    },
  };
}
