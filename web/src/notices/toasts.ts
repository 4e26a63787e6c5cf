import type { Client, ServerMessage } from 'vigil-client';
import type { NoticeKind } from '../../../core/people/live/live';
import { notify, type VigilStore } from '../state/vigil-state';

const words: Record<NoticeKind, string> = {
  reminder: 'A reminder is due',
  approval: 'Your approval is needed',
  question: 'A question waits for you',
  failure: 'Something failed',
  answer: 'There is an answer',
  allowed: 'Something was done without asking, as you have allowed',
};

/** The number of notices that are remembered. One may come twice. */
const kept = 50;

/** Shows what happened in conversations that the user does not see. */
export function showsToasts(store: VigilStore, conversations: Client['conversations']) {
  let heard: string[] = [];
  return ({ id, kind, conversationId }: Extract<ServerMessage, { type: 'notice' }>): void => {
    if (heard.includes(id)) return;
    heard = [...heard.slice(1 - kept), id];
    const { open } = store.getState();
    if (open === conversationId && document.visibilityState === 'visible') return;
    const title = conversations.getSnapshot().byId.get(conversationId)?.title;
    notify(store, title ? `${words[kind]}: ${title}` : `${words[kind]}.`, conversationId);
  };
}
