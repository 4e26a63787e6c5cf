import type { Client, ServerMessage } from 'vigil-client';
import type { NoticeKind } from '../../../core/people/live/live';
import { t } from '../languages/catalogue';
import { notify, type VigilStore } from '../state/vigil-state';

function headOf(kind: NoticeKind): string {
  switch (kind) {
    case 'reminder':
      return t('A reminder is due');
    case 'approval':
      return t('Your approval is needed');
    case 'person':
      return t('You are asked to take a conversation over');
    case 'question':
      return t('A question waits for you');
    case 'failure':
      return t('Something failed');
    case 'answer':
      return t('There is an answer');
    case 'mention':
      return t('Somebody has written to you');
    case 'allowed':
      return t('Something was done without asking, as you have allowed');
  }
}

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
    notify(store, title ? `${headOf(kind)}: ${title}` : `${headOf(kind)}.`, conversationId);
  };
}
