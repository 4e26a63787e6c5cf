import type { Client, ServerMessage } from 'vigil-client';
import type { NoticeKind } from '../../../core/people/live/live';
import { t } from '../languages/catalogue';
import { notify, type VigilStore } from '../state/vigil-state';

const heads: Record<NoticeKind, () => string> = {
  reminder: () => t('A reminder is due'),
  approval: () => t('Your approval is needed'),
  person: () => t('You are asked to take a conversation over'),
  question: () => t('A question waits for you'),
  failure: () => t('Something failed'),
  answer: () => t('There is an answer'),
  mention: () => t('Somebody has written to you'),
  allowed: () => t('Something was done without asking, as you have allowed'),
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
    const head = heads[kind]();
    notify(store, title ? `${head}: ${title}` : `${head}.`, conversationId);
  };
}
