import type { Client, Conversation, Live, ServerMessage } from 'vigil-client';
import type { PushedRow } from 'vigil-client/shared';
import { isBegun } from '../kept/unsent';
import { isNewVersion } from '../rows/branches';
import type { Approvals } from './approvals';
import type { Home } from './home';
import { conversationChanged, listed, removed, timersListed } from './merge';
import type { VigilStore } from './vigil-state';

/**
 * Keeps the list and the open conversation up to date: merges what is pushed, and reads when the client says so. It
 * never polls.
 */
export interface Follow {
  open(id: string | undefined): void;
  read(id: string): Promise<void>;
  /** Merges a response of the API. @param isWhole whether no row of the conversation is missing. */
  merge(id: string, came: Conversation | readonly PushedRow[], isWhole?: boolean): void;
}

export interface Following {
  approvals: Approvals;
  home: Home;
  /** To be called with what the user should hear of. */
  noticed(message: Extract<ServerMessage, { type: 'notice' }>): void;
}

export function follow(
  store: VigilStore,
  client: { conversation: Client['conversation']; live: Pick<Live, 'follow'> },
  { approvals, home, noticed }: Following,
): Follow {
  let opened: { id: string; leave(): void } | undefined;

  async function read(id: string): Promise<void> {
    const feed = client.conversation(id);
    await feed.read();
    conversationChanged(store, id, feed.getSnapshot(), true);
  }

  function heardOfList(message: ServerMessage): void {
    if (message.type === 'notice') noticed(message);
    if (message.type === 'deleted') removed(store, message.conversationId);
    if (message.type !== 'rows' || !('list' in message)) return;
    const conversations = message.rows.flatMap((one) => (one.kind === 'conversation' ? [one.row] : []));
    listed(store, conversations);
    home.changed(conversations);
    const { open } = store.getState();
    if (open && conversations.some((one) => isNewVersion(store.getState(), one))) void read(open);
    timersListed(
      store,
      message.rows.flatMap((one) => (one.kind === 'timer' ? [{ ...one.row, conversationId: one.conversationId }] : [])),
    );
  }

  client.live.follow({ list: true }, { subscribed: home.catchUp, heard: heardOfList });
  client.live.follow({ approvals: true }, { subscribed: home.catchUp, heard: () => void approvals.read() });
  return {
    read,
    merge(id, came, isWhole) {
      const feed = client.conversation(id);
      feed.merge(came, isWhole);
      conversationChanged(store, id, feed.getSnapshot(), 'messages' in came);
    },
    open(id) {
      if (opened?.id !== id) {
        opened?.leave();
        opened = undefined;
      }
      store.setState({ open: id });
      // A conversation that is not stored yet cannot be subscribed to or read.
      if (!id || isBegun(store.getState().unsent, id)) return;
      const feed = client.conversation(id);
      const changed = () => conversationChanged(store, id, feed.getSnapshot());
      if (store.getState().known.get(id)?.status === 'gone') {
        // It is asked for again, because it may not have existed yet.
        feed.reset();
        store.setState(({ known }) => ({ known: new Map(known).set(id, feed.getSnapshot()) }));
      }
      opened ??= { id, leave: feed.subscribe(changed, () => document.visibilityState === 'visible') };
      changed();
      // Reads at once, because the acknowledgement may take long.
      void read(id);
    },
  };
}
