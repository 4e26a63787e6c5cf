import type { AnswerCallback, Client } from 'vigil-client';
import type { AnsweredCallback } from 'vigil-client/shared';
import { t } from '../languages/catalogue';
import type { Me } from '../rows/deciders';
import { isTakeOver } from '../rows/take-over';
import { toolWords } from '../words/words';
import { notify, type VigilStore } from './vigil-state';

/** Decides about a callback. @throws RequestFailed, with 409 if somebody else was first. */
export type Decide = (conversationId: string, callback: AnsweredCallback, answer: AnswerCallback) => Promise<void>;

/**
 * Tells the user what others have decided: a form that was open may be gone. Their own decisions are no news, nor is that a colleague has
 * given a conversation back.
 */
export function tellDecisions(
  store: VigilStore,
  { approvals, conversation }: Pick<Client, 'approvals' | 'conversation'>,
  me: Me,
): Decide {
  const ours = new Set<string>();
  let before = approvals.getSnapshot().approvals;
  approvals.subscribe(() => {
    const now = approvals.getSnapshot().approvals;
    const ids = new Set(now.map(({ callback }) => callback.id));
    const ended = before.filter(
      (one) => one.owner !== me.user && !ids.has(one.callback.id) && !ours.has(one.callback.id) && !isTakeOver(one),
    );
    before = now;
    for (const { callback, conversationId } of ended) {
      const typed = store.getState().drafts.has(`${conversationId} ${callback.id}`);
      const ending = t('Somebody else has decided about “{tool}”, or it has ended.', { tool: toolWords(callback) });
      notify(store, typed ? `${ending} ${t('What you had typed was not used.')}` : ending);
    }
  });
  return async (conversationId, callback, answer) => {
    const { id } = callback;
    // The news of it may come before the response.
    ours.add(id);
    try {
      const row = await approvals.answer({ conversationId, callback }, answer);
      const shown = conversation(conversationId);
      if (shown.getSnapshot().conversation) shown.merge([{ kind: 'callback', row }]);
    } catch (error) {
      ours.delete(id);
      throw error;
    }
  };
}
