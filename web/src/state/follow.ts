import type { Api } from '../network/api';
import type { LiveSocket } from '../network/live-socket';
import type { ServerMessage } from '../network/protocol';
import { listed, mergeInto, removed, withOpened } from './merge';
import { isBegun } from './outbox';
import { readsConversation } from './read-conversation';
import { readsList } from './read-list';
import { subscriptions } from './subscriptions';
import type { VigilStore } from './vigil-state';

/**
 * Keeps the list and the open conversation as the table has them, by the protocol of `core/live/live.ts`: subscribe, wait for the
 * acknowledgement, read what lies behind what is settled, and put everything together by version. Nothing is polled: it is read
 * at the beginning, after a reconnect, when a row was too large to be pushed, and every few minutes with a pong.
 */
export interface Follow {
  hear(message: ServerMessage): void;
  /** The connection is there: everything is subscribed anew. */
  resume(): void;
  open(id: string | undefined): void;
  readList(): Promise<void>;
  /** @throws RequestFailed. */
  readOlder(): Promise<void>;
  read(id: string): Promise<void>;
}

export function follow(store: VigilStore, api: Api, socket: () => LiveSocket): Follow {
  const read = readsConversation(store, api);
  const { readList, catchUp, readOlder } = readsList(store, api);
  const asked = subscriptions((message) => socket().send(message));

  /** What is not stored yet can neither be subscribed to nor read. */
  const isStored = (id: string) => !isBegun(store.getState().outbox, id);
  const isOpen = (id: string) => store.getState().open === id;
  const subscribe = (id: string) => {
    if (isStored(id)) asked.subscribe({ conversationId: id });
  };

  function heardRows(message: Extract<ServerMessage, { type: 'rows' }>): void {
    if ('list' in message) {
      const rows = message.rows.map(({ row }) => row);
      listed(store, rows);
      return;
    }
    const { conversationId: id, rows } = message;
    mergeInto(store, id, rows);
    if ((store.getState().known.get(id)?.live.unread.size ?? 0) > 0) void read(id);
  }

  function subscribed(message: Extract<ServerMessage, { type: 'subscribed' }>): void {
    asked.acknowledged(message);
    if ('list' in message) return void catchUp();
    if (isOpen(message.conversationId)) return void read(message.conversationId);
    // It was left before: its end may have been served before its beginning.
    asked.unsubscribe(message.conversationId);
  }

  function refused(message: Extract<ServerMessage, { type: 'error' }>): void {
    const { status, conversationId: id } = message;
    if (status === 404 && id) {
      asked.forget(id);
      if (isStored(id)) removed(store, id);
      return;
    }
    // The connection is not known any more, or has too many subscriptions.
    asked.later(status === 401 || status === 409 ? () => socket().hurry() : undefined);
  }

  return {
    read,
    readList,
    readOlder,
    resume() {
      asked.subscribe({ list: true });
      const { open } = store.getState();
      if (open) subscribe(open);
    },
    open(id) {
      const { open } = store.getState();
      if (open && open !== id) asked.unsubscribe(open);
      store.setState(({ known }) => ({ open: id, known: id ? withOpened(known, id) : known }));
      if (!id || !isStored(id)) return;
      subscribe(id);
      // Not only with the acknowledgement, which may be long in coming.
      void read(id);
    },
    hear(message) {
      switch (message.type) {
        case 'subscribed':
          return subscribed(message);
        case 'unsubscribed':
          // It was opened again meanwhile. Each message is an invocation of its own, and the later one may be served first.
          if ('conversationId' in message && isOpen(message.conversationId)) subscribe(message.conversationId);
          return;
        case 'rows':
          return heardRows(message);
        case 'deleted':
          return removed(store, message.conversationId);
        case 'pong': {
          asked.again();
          void readList();
          const { open } = store.getState();
          return void (open && isStored(open) && read(open));
        }
        case 'error':
          return refused(message);
        default:
          // API Gateway's own: some request has failed.
          asked.later();
      }
    },
  };
}
