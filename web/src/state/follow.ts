import { conversationOf, rowsOf } from '../../../core/live-merge';
import type { Api } from '../network/api';
import type { LiveSocket } from '../network/live-socket';
import { RequestFailed, wordsOf } from '../network/problem';
import type { ServerMessage } from '../network/protocol';
import { listed, mergeInto, removed, withKnown } from './merge';
import { settledSeq } from './transcript';
import { unknown, type VigilStore } from './vigil-state';

/**
 * Keeps the list and the open conversation as the table has them, by the protocol of `core/live.ts`: subscribe, wait for the
 * acknowledgement, read what lies behind what is settled, and put everything together by version. Nothing is polled: it is read
 * at the beginning, after a reconnect, when a row was too large to be pushed, and every few minutes with a pong.
 */
export interface Follow {
  hear(message: ServerMessage): void;
  /** The connection is there: everything is subscribed anew. */
  resume(): void;
  open(id: string | undefined): void;
  readList(): Promise<void>;
  readOlder(): Promise<void>;
  read(id: string): Promise<void>;
}

export function follow(store: VigilStore, api: Api, socket: () => LiveSocket): Follow {
  /** Being read now; `true` where it is to be read once more afterwards. */
  const reading = new Map<string, boolean>();

  /** What is not stored yet cannot be subscribed to. */
  const isStored = (id: string) =>
    !store.getState().outbox.some(({ conversationId, agent }) => conversationId === id && agent !== undefined);

  const subscribe = (id: string) => {
    if (isStored(id)) socket().send({ action: 'subscribe', conversationId: id });
  };

  async function read(id: string): Promise<void> {
    if (reading.has(id)) return void reading.set(id, true);
    reading.set(id, false);
    try {
      await readPages(id);
    } catch (error) {
      failed(id, error);
    }
    const again = reading.get(id);
    reading.delete(id);
    if (again) await read(id);
  }

  async function readPages(id: string): Promise<void> {
    let after = settledSeq(messagesOf(id));
    for (;;) {
      const page = await api.read(id, after);
      mergeInto(store, id, rowsOf(page), !page.more);
      const last = page.messages.at(-1);
      if (!page.more || !last) return;
      after = last.seq;
    }
  }

  const messagesOf = (id: string) =>
    conversationOf(store.getState().known.get(id)?.live ?? unknown.live)?.messages ?? [];

  function failed(id: string, error: unknown): void {
    if (error instanceof RequestFailed && error.status === 404) {
      if (isStored(id)) removed(store, id);
      return;
    }
    store.setState((state) => {
      const held = state.known.get(id) ?? unknown;
      // What is on the screen stays there: the next read mends it.
      if (held.reading.is === 'ready') return {};
      return { known: withKnown(state, id, { ...held, reading: { is: 'failed', problem: wordsOf(error) } }) };
    });
  }

  async function readList(): Promise<void> {
    try {
      const { conversations, cursor } = await api.list();
      listed(store, conversations);
      store.setState((state) => ({ listReading: { is: 'ready' }, cursor: state.cursor ?? cursor }));
    } catch (error) {
      store.setState(({ listReading }) =>
        listReading.is === 'ready' ? {} : { listReading: { is: 'failed', problem: wordsOf(error) } },
      );
    }
  }

  async function readOlder(): Promise<void> {
    const { conversations, cursor } = await api.list(store.getState().cursor);
    listed(store, conversations);
    store.setState({ cursor: cursor ?? '' });
  }

  function heardRows(message: Extract<ServerMessage, { type: 'rows' }>): void {
    if ('list' in message) {
      const rows = message.rows.map(({ row }) => row);
      listed(store, rows);
      return;
    }
    mergeInto(store, message.conversationId, message.rows);
    if ((store.getState().known.get(message.conversationId)?.live.unread.size ?? 0) > 0)
      void read(message.conversationId);
  }

  return {
    read,
    readList,
    readOlder,
    resume() {
      socket().send({ action: 'subscribe', list: true });
      const { open } = store.getState();
      if (open) subscribe(open);
    },
    open(id) {
      const { open, known, connection } = store.getState();
      if (open && open !== id) socket().send({ action: 'unsubscribe', conversationId: open });
      store.setState({ open: id });
      if (!id) return;
      if (!known.has(id)) store.setState((state) => ({ known: withKnown(state, id, unknown) }));
      if (connection === 'live') subscribe(id);
      // Without a connection the acknowledgement may be long in coming.
      else if (isStored(id)) void read(id);
    },
    hear(message) {
      switch (message.type) {
        case 'subscribed':
          return void ('list' in message ? readList() : read(message.conversationId));
        case 'rows':
          return heardRows(message);
        case 'deleted':
          return removed(store, message.conversationId);
        case 'pong': {
          void readList();
          const { open } = store.getState();
          return void (open && read(open));
        }
        case 'error':
          if (message.status === 401) return socket().hurry();
          if (message.status === 404 && message.conversationId && isStored(message.conversationId))
            return removed(store, message.conversationId);
      }
    },
  };
}
