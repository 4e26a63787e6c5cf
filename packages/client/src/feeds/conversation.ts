import { untilAnswered } from '../again';
import type { Api } from '../api';
import type { AnswerCallback, Callback, Cancel, Conversation, Message, SendMessage } from '../api-types';
import { newId } from '../ids';
import type { Live } from '../live/live';
import type { PushedRow, ServerMessage } from '../live/protocol';
import { conversationOf, isBehind, type LiveState, mergeRows, nothingKnown, rowsOf } from '../live/rows';
import { RequestFailed } from '../problem';
import { type Feed, newFeed, type Status } from './feed';
import { readsConversation } from './read-conversation';

export interface ConversationState {
  status: Status;
  /** With its rows in order, as far as they are known. */
  conversation?: Omit<Conversation, 'more'>;
  /** The reason for `failed` or `gone`. */
  error?: Error;
}

/** One conversation, as it changes. */
export interface ConversationFeed extends Feed<ConversationState> {
  readonly id: string;
  /**
   * @param isShown whether the user sees it, so that nothing of it is sent to their devices. Nobody sees it by default.
   */
  subscribe(listener: () => void, isShown?: () => boolean): () => void;
  /** Reads what is new, also without a subscription. What fails is in the state. */
  read(): Promise<void>;
  /**
   * Sends a message, again until there is an answer. Each time it has the same `clientMessageId`, so it is stored once.
   *
   * @throws RequestFailed if it is rejected, and the signal's reason after an abort. It may be stored then.
   */
  send(message: string | SendMessage, signal?: AbortSignal): Promise<Message>;
  /** Answers a question, or decides about an approval. @throws RequestFailed. */
  answer(callbackId: string, answer: AnswerCallback): Promise<Callback>;
  /** Stops the run. @throws RequestFailed. */
  cancel(which?: Cancel): Promise<void>;
}

export interface Parts {
  /** The server's time. */
  now(): number;
  api: Api;
  live: Live;
  /** The API whose requests the signal aborts. */
  withSignal(signal?: AbortSignal): Api;
}

export function conversationFeed(
  id: string,
  { api, live, withSignal }: Parts,
): ConversationFeed & { isFollowed(): boolean } {
  let rows: LiveState = nothingKnown;
  const seen = new Set<() => boolean>();
  const feed = newFeed<ConversationState>({ status: 'loading' }, () =>
    live.follow(
      { conversationId: id },
      {
        subscribed: () => void read(),
        pong: () => void read(),
        heard,
        gone: () => gone(new RequestFailed(404, `You have no conversation ${id}.`)),
        isShown: () => [...seen].some((isShown) => isShown()),
      },
    ),
  );

  function merge(came: readonly PushedRow[], status = feed.getSnapshot().status): void {
    const merged = mergeRows(rows, came);
    const isNew = merged !== rows;
    rows = merged;
    feed.change({
      status,
      ...(isNew && { conversation: conversationOf(rows) }),
      ...(status === 'ready' && { error: undefined }),
    });
  }

  function gone(error: Error): void {
    rows = nothingKnown;
    feed.change({ status: 'gone', conversation: undefined, error });
  }

  function heard(message: ServerMessage): void {
    if (message.type === 'deleted') gone(new RequestFailed(404, 'The conversation was deleted.'));
    // Rows that were on their way when it was deleted change nothing.
    if (message.type !== 'rows' || 'list' in message || feed.getSnapshot().status === 'gone') return;
    merge(message.rows);
    if (isBehind(rows)) void read();
  }

  const read = readsConversation(api, id, {
    rows: () => rows,
    read: (page, whole) => merge(rowsOf(page), whole ? 'ready' : undefined),
    failed(error) {
      if (error instanceof RequestFailed && error.status === 404) return gone(error);
      feed.failed(error);
    },
    isFollowed: () => feed.isFollowed() && live.connection === 'live',
  });

  return {
    id,
    getSnapshot: feed.getSnapshot,
    isFollowed: feed.isFollowed,
    read,
    subscribe(listener, isShown) {
      const sees = () => isShown?.() ?? false;
      seen.add(sees);
      const leave = feed.subscribe(listener);
      return () => {
        seen.delete(sees);
        leave();
      };
    },
    async send(given, signal) {
      const body = { clientMessageId: newId(), ...(typeof given === 'string' ? { text: given } : given) };
      const row = await untilAnswered(() => withSignal(signal).say(id, body), signal);
      merge([{ kind: 'message', row }]);
      return row;
    },
    async answer(callbackId, answer) {
      const row = await api.answer(id, callbackId, answer);
      merge([{ kind: 'callback', row }]);
      return row;
    },
    async cancel(which = {}) {
      merge(rowsOf(await api.cancel(id, which)));
    },
  };
}
