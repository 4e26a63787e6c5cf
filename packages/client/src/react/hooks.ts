import {
  createContext,
  createElement,
  type ReactNode,
  useCallback,
  useContext,
  useMemo,
  useSyncExternalStore,
} from 'react';
import type { Message } from '../api-types';
import type { Client } from '../client';
import type { ApprovalsFeed, ApprovalsState } from '../feeds/approvals';
import type { ConversationFeed, ConversationState } from '../feeds/conversation';
import type { ConversationsFeed, ConversationsState } from '../feeds/conversations';
import type { Feed } from '../feeds/feed';

const Context = createContext<Client | undefined>(undefined);

/** Gives the hooks below it their client. */
export const VigilProvider = ({ client, children }: { client: Client; children?: ReactNode }) =>
  createElement(Context.Provider, { value: client }, children);

export function useClient(): Client {
  const client = useContext(Context);
  if (!client) throw new Error('There is no client: put a VigilProvider around the component.');
  return client;
}

export interface UsedConversation extends ConversationState {
  /** Empty before the first read. */
  messages: readonly Message[];
  /** Sends a message with the device's time zone and language: see `ConversationFeed`. */
  send(text: string, signal?: AbortSignal): Promise<Message>;
  answer: ConversationFeed['answer'];
  cancel: ConversationFeed['cancel'];
}

const none: readonly Message[] = [];
const isVisible = () => typeof document !== 'undefined' && document.visibilityState === 'visible';

/**
 * Follows a conversation while the component is mounted.
 *
 * @param isShown whether the user sees it, so that nothing of it is sent to their devices. In a browser, that is whether
 *   the window is visible.
 */
export function useConversation(id: string, isShown: () => boolean = isVisible): UsedConversation {
  const client = useClient();
  const feed = useMemo(() => client.conversation(id), [client, id]);
  const subscribe = useCallback((changed: () => void) => feed.subscribe(changed, isShown), [feed, isShown]);
  const state = useSyncExternalStore(subscribe, feed.getSnapshot, feed.getSnapshot);
  const send = useCallback((text: string, signal?: AbortSignal) => feed.send({ text, ...here() }, signal), [feed]);
  return { ...state, messages: state.conversation?.messages ?? none, send, answer: feed.answer, cancel: feed.cancel };
}

/** Follows the user's list of conversations while the component is mounted. */
export function useConversations(): ConversationsState & Pick<ConversationsFeed, 'readMore'> {
  const { conversations } = useClient();
  return { ...useFeed(conversations), readMore: conversations.readMore };
}

/** Follows what waits for the user's decision or answer while the component is mounted. */
export function useApprovals(): ApprovalsState & Pick<ApprovalsFeed, 'answer'> {
  const { approvals } = useClient();
  return { ...useFeed(approvals), answer: approvals.answer };
}

const useFeed = <State>({ subscribe, getSnapshot }: Feed<State>): State =>
  useSyncExternalStore(subscribe, getSnapshot, getSnapshot);

/** Read for each message, because people travel. React Native has no `navigator.language`. */
const here = () => ({
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  language: globalThis.navigator?.language as string | undefined,
});
