import type { Api } from '../network/api';
import type { LiveSocket } from '../network/live-socket';
import type { ServerMessage } from '../network/protocol';
import type { Approvals } from './approvals';
import { isNewVersion } from './branches';
import type { Home } from './home';
import { listed, mergeInto, removed, timersListed, withOpened } from './merge';
import { readsConversation } from './read-conversation';
import { subscriptions } from './subscriptions';
import { isBegun } from './unsent';
import type { VigilStore } from './vigil-state';
import { watches } from './watching';

/**
 * Keeps the list and the open conversation up to date by the protocol of `core/live/live.ts`: subscribe, wait for the
 * acknowledgement, read what is not settled, merge by version. It never polls. It reads at the start, after a
 * reconnect, when a row was too large to push, and at each pong, every few minutes.
 */
export interface Follow {
  hear(message: ServerMessage): void;
  /** Subscribes to everything again on a new connection. */
  resume(): void;
  open(id: string | undefined): void;
  read(id: string): Promise<void>;
}

export interface Following {
  approvals: Approvals;
  home: Home;
  socket(): LiveSocket;
  /** To be called with what the user should hear of. */
  noticed(message: Extract<ServerMessage, { type: 'notice' }>): void;
}

export function follow(store: VigilStore, api: Api, { approvals, home, socket, noticed }: Following): Follow {
  const read = readsConversation(store, api);
  const asked = subscriptions((message) => socket().send(message));
  const watching = watches(store, (message) => socket().send(message));

  /** A conversation that is not stored yet cannot be subscribed to or read. */
  const isStored = (id: string) => !isBegun(store.getState().unsent, id);
  const isOpen = (id: string) => store.getState().open === id;
  const subscribe = (id: string) => {
    if (isStored(id)) asked.subscribe({ conversationId: id });
  };

  function heardRows(message: Extract<ServerMessage, { type: 'rows' }>): void {
    if ('list' in message) {
      const conversations = message.rows.flatMap((one) => (one.kind === 'conversation' ? [one.row] : []));
      listed(store, conversations);
      home.changed(conversations);
      const { open } = store.getState();
      if (open && conversations.some((one) => isNewVersion(store.getState(), one))) void read(open);
      timersListed(
        store,
        message.rows.flatMap((one) =>
          one.kind === 'timer' ? [{ ...one.row, conversationId: one.conversationId }] : [],
        ),
      );
      return;
    }
    const { conversationId: id, rows } = message;
    mergeInto(store, id, rows);
    if ((store.getState().known.get(id)?.live.unread.size ?? 0) > 0) void read(id);
  }

  function subscribed(message: Extract<ServerMessage, { type: 'subscribed' }>): void {
    asked.acknowledged('approvals' in message ? { approvals: true } : message);
    if ('approvals' in message || 'list' in message) return void home.catchUp();
    if (isOpen(message.conversationId)) {
      watching.tell();
      return void read(message.conversationId);
    }
    // The user left it before the acknowledgement. The unsubscribe may have been handled before the subscribe.
    asked.unsubscribe(message.conversationId);
  }

  function refused(message: Extract<ServerMessage, { type: 'error' }>): void {
    const { status, conversationId: id } = message;
    if (status === 404 && id) {
      asked.forget(id);
      if (isStored(id)) removed(store, id);
      return;
    }
    // It was watched, and left before that arrived.
    if (status === 409 && id && !isOpen(id)) return;
    // 401: the connection is no longer known. 409: it has too many subscriptions.
    asked.later(status === 401 || status === 409 ? () => socket().hurry() : undefined);
  }

  return {
    read,
    resume() {
      asked.subscribe({ list: true });
      asked.subscribe({ approvals: true });
      const { open } = store.getState();
      if (open) subscribe(open);
    },
    open(id) {
      const { open } = store.getState();
      if (open && open !== id) asked.unsubscribe(open);
      store.setState(({ known }) => ({ open: id, known: id ? withOpened(known, id) : known }));
      if (!id || !isStored(id)) return;
      subscribe(id);
      // Reads at once, because the acknowledgement may take long.
      void read(id);
    },
    hear(message) {
      switch (message.type) {
        case 'subscribed':
          return subscribed(message);
        case 'unsubscribed':
          // The user opened it again meanwhile. Each message is a separate invocation, so a later one may be handled
          // first.
          if ('conversationId' in message && isOpen(message.conversationId)) subscribe(message.conversationId);
          return;
        case 'rows':
          return heardRows(message);
        case 'changed':
          return void approvals.read();
        case 'deleted':
          return removed(store, message.conversationId);
        case 'notice':
          return noticed(message);
        case 'watched':
          return;
        case 'pong': {
          asked.again();
          watching.tell();
          const { open } = store.getState();
          return void (open && isStored(open) && read(open));
        }
        case 'error':
          return refused(message);
        default:
          // An error of API Gateway itself: some request failed.
          asked.later();
      }
    },
  };
}
