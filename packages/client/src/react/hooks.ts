import {
  createContext,
  createElement,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from 'react';
import type { Message } from '../api-types';
import type { Client } from '../client';
import type { ApprovalsFeed, ApprovalsState } from '../feeds/approvals';
import type { ConversationFeed, ConversationState } from '../feeds/conversation';
import type { ConversationsFeed, ConversationsState } from '../feeds/conversations';
import type { Feed } from '../feeds/feed';
import type { HomeState } from '../feeds/home';
import { nobody } from '../feeds/people';
import type { MessageWithFiles } from '../files/upload';

const Context = createContext<Client | undefined>(undefined);

/**
 * Gives the hooks below it their client.
 *
 * @example
 * ```tsx
 * import { renderToString } from 'react-dom/server';
 * import { createClient } from 'vigil-client';
 * import { useApprovals, VigilProvider } from 'vigil-client/react';
 *
 * const client = createClient({ url: process.env.VIGIL_URL!, token: () => process.env.VIGIL_TOKEN! });
 * const Badge = () => <b>{useApprovals().approvals.length}</b>;
 * const App = () => (
 *   <VigilProvider client={client}>
 *     <Badge />
 *   </VigilProvider>
 * );
 * renderToString(<App />); // → '<b>0</b>'
 * ```
 */
export const VigilProvider = ({ client, children }: { client: Client; children?: ReactNode }) =>
  createElement(Context.Provider, { value: client }, children);

/**
 * Returns the client of the `VigilProvider` above, for what has no hook.
 *
 * @throws Error if there is none.
 * @example
 * ```tsx
 * import { renderToString } from 'react-dom/server';
 * import { createClient } from 'vigil-client';
 * import { useClient, VigilProvider } from 'vigil-client/react';
 *
 * function Retry({ id }: { id: string }) {
 *   const { api } = useClient();
 *   return <button onClick={() => api.retry(id)}>Retry</button>;
 * }
 * const client = createClient({ url: process.env.VIGIL_URL!, token: () => process.env.VIGIL_TOKEN! });
 * renderToString(<VigilProvider client={client}><Retry id="visit-1" /></VigilProvider>); // → '<button>Retry</button>'
 * renderToString(<Retry id="visit-1" />); // throws put a VigilProvider around the component
 * ```
 */
export function useClient(): Client {
  const client = useContext(Context);
  if (!client) throw new Error('There is no client: put a VigilProvider around the component.');
  return client;
}

export interface UsedConversation extends ConversationState {
  /** Empty before the first read. */
  messages: readonly Message[];
  /** Sends a message with the device's time zone and language: see `ConversationFeed`. */
  send(message: string | MessageWithFiles, signal?: AbortSignal): Promise<Message>;
  answer: ConversationFeed['answer'];
  cancel: ConversationFeed['cancel'];
}

const none: readonly Message[] = [];
const isVisible = () => typeof document !== 'undefined' && document.visibilityState === 'visible';

/**
 * Follows a conversation while the component is mounted.
 *
 * @param id undefined while there is none yet: nothing is followed, and what is called throws.
 * @param isShown whether the user sees it, so that nothing of it is sent to their devices. In a browser, that is whether
 *   the window is visible.
 * @example
 * ```tsx
 * import { renderToString } from 'react-dom/server';
 * import { createClient } from 'vigil-client';
 * import { useConversation, VigilProvider } from 'vigil-client/react';
 *
 * function Chat({ id }: { id: string }) {
 *   const { status, messages, send } = useConversation(id);
 *   if (status !== 'ready') return <p>Loading…</p>;
 *   return <button onClick={() => send('And on Tuesday?')}>{messages.at(-1)?.text}</button>;
 * }
 * const client = createClient({ url: process.env.VIGIL_URL!, token: () => process.env.VIGIL_TOKEN! });
 * // What is drawn before the first answer.
 * renderToString(<VigilProvider client={client}><Chat id="visit-1" /></VigilProvider>); // → '<p>Loading…</p>'
 * ```
 */
export function useConversation(id: string | undefined, isShown: () => boolean = isVisible): UsedConversation {
  const client = useClient();
  const feed = useMemo(() => (id === undefined ? noConversation : client.conversation(id)), [client, id]);
  const subscribe = useCallback((changed: () => void) => feed.subscribe(changed, isShown), [feed, isShown]);
  const state = useSyncExternalStore(subscribe, feed.getSnapshot, feed.getSnapshot);
  const send = useCallback(
    (given: string | MessageWithFiles, signal?: AbortSignal) =>
      feed.send({ ...(typeof given === 'string' ? { text: given } : given), ...here() }, signal),
    [feed],
  );
  return { ...state, messages: state.conversation?.messages ?? none, send, answer: feed.answer, cancel: feed.cancel };
}

const loading: ConversationState = { status: 'loading', people: nobody };
const refuse = async () => {
  throw new Error('There is no conversation: useConversation was called without an id.');
};
const noConversation: Pick<ConversationFeed, 'getSnapshot' | 'subscribe' | 'send' | 'answer' | 'cancel'> = {
  getSnapshot: () => loading,
  subscribe: () => () => undefined,
  send: refuse,
  answer: refuse,
  cancel: refuse,
};

/**
 * Follows the user's list of conversations while the component is mounted.
 *
 * @example
 * ```tsx
 * import { renderToString } from 'react-dom/server';
 * import { createClient } from 'vigil-client';
 * import { useConversations, VigilProvider } from 'vigil-client/react';
 *
 * function List() {
 *   const { conversations, hasMore, readMore } = useConversations();
 *   const titles = conversations.map(({ id, title }) => <li key={id}>{title}</li>);
 *   return <ul>{titles}{hasMore && <button onClick={readMore}>More</button>}</ul>;
 * }
 * const client = createClient({ url: process.env.VIGIL_URL!, token: () => process.env.VIGIL_TOKEN! });
 * // What is drawn before the first answer.
 * renderToString(<VigilProvider client={client}><List /></VigilProvider>); // → '<ul></ul>'
 * ```
 */
export function useConversations(): ConversationsState & Pick<ConversationsFeed, 'readMore' | 'remove'> {
  const { conversations } = useClient();
  return { ...useFeed(conversations), readMore: conversations.readMore, remove: conversations.remove };
}

/**
 * Follows what waits for the user's decision or answer while the component is mounted.
 *
 * @example
 * ```tsx
 * import { renderToString } from 'react-dom/server';
 * import { createClient } from 'vigil-client';
 * import { useApprovals, VigilProvider } from 'vigil-client/react';
 *
 * function Approvals() {
 *   const { status, approvals, answer } = useApprovals();
 *   if (status === 'loading') return <p>Loading…</p>;
 *   return approvals.map((waiting) => (
 *     <button key={waiting.callback.id} onClick={() => answer(waiting, { approved: true })}>
 *       {waiting.callback.prompt}
 *     </button>
 *   ));
 * }
 * const client = createClient({ url: process.env.VIGIL_URL!, token: () => process.env.VIGIL_TOKEN! });
 * // What is drawn before the first answer.
 * renderToString(<VigilProvider client={client}><Approvals /></VigilProvider>); // → '<p>Loading…</p>'
 * ```
 */
export function useApprovals(): ApprovalsState & Pick<ApprovalsFeed, 'answer'> {
  const { approvals } = useClient();
  return { ...useFeed(approvals), answer: approvals.answer };
}

/**
 * Follows all lists together while the component is mounted, by one request: the timers and what the user has spent, and those
 * of `useConversations` and `useApprovals` below it.
 *
 * @example
 * ```tsx
 * import { renderToString } from 'react-dom/server';
 * import { createClient } from 'vigil-client';
 * import { useHome, VigilProvider } from 'vigil-client/react';
 *
 * function Upcoming() {
 *   const { status, timers } = useHome();
 *   if (status === 'loading') return <p>Loading…</p>;
 *   return <ul>{timers.map(({ id, text }) => <li key={id}>{text}</li>)}</ul>;
 * }
 * const client = createClient({ url: process.env.VIGIL_URL!, token: () => process.env.VIGIL_TOKEN! });
 * // What is drawn before the first answer.
 * renderToString(<VigilProvider client={client}><Upcoming /></VigilProvider>); // → '<p>Loading…</p>'
 * ```
 */
export function useHome(): HomeState {
  const { home } = useClient();
  useEffect(home.show, [home]);
  return useFeed(home);
}

/**
 * Follows a feed of the client while the component is mounted, or a part of its state: the component is drawn when that changes.
 *
 * @param select returns the same value while the part is the same.
 * @example
 * ```tsx
 * import { renderToString } from 'react-dom/server';
 * import { createClient } from 'vigil-client';
 * import { useClient, useFeed, VigilProvider } from 'vigil-client/react';
 *
 * function Title({ id }: { id: string }) {
 *   return <b>{useFeed(useClient().conversations, ({ byId }) => byId.get(id)?.title) ?? 'New'}</b>;
 * }
 * const client = createClient({ url: process.env.VIGIL_URL!, token: () => process.env.VIGIL_TOKEN! });
 * renderToString(<VigilProvider client={client}><Title id="visit-1" /></VigilProvider>); // → '<b>New</b>'
 * ```
 */
export function useFeed<State>(feed: Feed<State>): State;
export function useFeed<State, Part>(feed: Feed<State>, select: (state: State) => Part): Part;
export function useFeed<State, Part>(
  { subscribe, getSnapshot }: Feed<State>,
  select?: (state: State) => Part,
): State | Part {
  const get = () => (select ? select(getSnapshot()) : getSnapshot());
  return useSyncExternalStore(subscribe, get, get);
}

/** Read for each message, because people travel. React Native has no `navigator.language`. */
const here = () => ({
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  language: globalThis.navigator?.language as string | undefined,
});
