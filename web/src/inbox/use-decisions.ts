import { RequestFailed, type WaitingApproval } from 'vigil-client';
import { useClient } from 'vigil-client/react';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { wordsOf } from '../words/problem-words';
import type { Verdict } from './together';
import { type Outcome, type Outcomes, useOneByOne } from './use-one-by-one';

const lateWords = (): string => t('somebody else has decided about it, or it has ended');

/**
 * Returns what has become of an item whose request has failed.
 *
 * @param mine the decision. If the answer to an earlier request was lost, the API says that it is stored. Undefined for a request that
 *   decides nothing.
 */
export function outcomeOf(error: unknown, mine?: { user: string; verdict: Verdict }): Outcome {
  if (!(error instanceof RequestFailed)) return { is: 'refused', words: wordsOf(error) };
  if (error.passing) return { is: 'unknown', words: wordsOf(error) };
  if (error.status !== 409) return { is: 'refused', words: wordsOf(error) };
  const { approved, by } = (error.problem?.outcome ?? {}) as { approved?: boolean; by?: string };
  const isMine = mine && by === mine.user && approved === (mine.verdict === 'approve');
  return isMine ? { is: 'stored' } : { is: 'late', words: lateWords() };
}

/**
 * Decides about several, one after another. What the API has as decided is not sent, and none is sent twice by itself: what had no answer is
 * sent again only on request.
 */
export function useDecisions(items: readonly WaitingApproval[], verdict: Verdict) {
  const { approvals } = useClient();
  const { act, me } = useVigil();
  const { sendAll, ...rest } = useOneByOne(items);

  const decide = (reason?: string): Promise<Outcomes> =>
    sendAll(
      async ({ conversationId, callback }, before) => {
        const { status, approvals: waiting } = approvals.getSnapshot();
        // One that had no answer may be gone because it is stored: the API says so.
        if (!before && status === 'ready' && !waiting.some((one) => one.callback.id === callback.id))
          return { is: 'late', words: lateWords() };
        const body = verdict === 'approve' ? { approved: true } : { approved: false, ...(reason && { reason }) };
        return act.decide(conversationId, callback, body).then(
          () => ({ is: 'stored' }),
          (error: unknown) => outcomeOf(error, { user: me.user, verdict }),
        );
      },
      ({ is }) => is === 'unknown',
    );

  return { ...rest, decide };
}
