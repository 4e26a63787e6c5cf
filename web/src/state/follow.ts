import type { Client, Conversation, ServerMessage } from 'vigil-client';
import { type PushedRow, rootOf } from 'vigil-client/shared';
import { withoutDraftsOf } from '../kept/kept-drafts';
import { isBegun, withoutStored } from '../kept/unsent';
import { isNewVersion, withoutBranch } from '../rows/branches';
import type { VigilStore } from './vigil-state';

/**
 * Follows what the user has by the client's feeds, and takes over what the page keeps about it: the versions of
 * conversations, and the messages and drafts that are not sent. It never polls.
 */
export interface Follow {
  open(id: string | undefined): void;
  read(id: string): Promise<void>;
  /** Merges a response of the API. @param isWhole whether no row of the conversation is missing. */
  merge(id: string, came: Conversation | readonly PushedRow[], isWhole?: boolean): void;
}

/** @param noticed is called with what the user should hear of. */
export function follow(
  store: VigilStore,
  client: Pick<Client, 'conversation' | 'conversations' | 'home' | 'live'>,
  noticed: (message: Extract<ServerMessage, { type: 'notice' }>) => void,
): Follow {
  const { conversations } = client;
  let opened: { id: string; leave(): void } | undefined;
  /** The versions that each conversation had when it was last read. Those of its family may be newer. */
  const versionsRead = new Map<string, Conversation['branches']>();
  let deleted = conversations.getSnapshot().deleted;

  function changed(id: string, isRead = false): void {
    const { conversation } = client.conversation(id).getSnapshot();
    if (!conversation) return;
    const { branches, messages } = conversation;
    const areNew = branches && (isRead || branches !== versionsRead.get(id));
    versionsRead.set(id, branches);
    store.setState((state) => ({
      unsent: withoutStored(state.unsent, messages),
      ...(areNew && { branches: new Map(state.branches).set(rootOf(conversation), branches) }),
    }));
  }

  /** Forgets deleted conversations. One that is not stored yet is not missing. */
  function forget(): void {
    const before = deleted;
    deleted = conversations.getSnapshot().deleted;
    for (const id of deleted)
      if (!before.has(id) && !isBegun(store.getState().unsent, id))
        store.setState(({ branches, unsent, drafts }) => ({
          branches: withoutBranch(branches, id),
          unsent: unsent.filter(({ conversationId }) => conversationId !== id),
          drafts: withoutDraftsOf(drafts, id),
        }));
  }

  async function read(id: string): Promise<void> {
    await client.conversation(id).read();
    changed(id, true);
  }

  function heard(message: ServerMessage): void {
    if (message.type === 'notice') noticed(message);
    if (message.type !== 'rows' || !('list' in message)) return;
    const { byId } = conversations.getSnapshot();
    const isNew = (one: (typeof message.rows)[number]) =>
      one.kind === 'conversation' && isNewVersion(store.getState(), byId, one.row);
    const { open } = store.getState();
    if (open && message.rows.some(isNew)) void read(open);
  }

  client.home.subscribe(() => undefined);
  conversations.subscribe(forget);
  client.live.follow({ list: true }, { subscribed: () => undefined, heard });
  void client.home.read();
  return {
    read,
    merge(id, came, isWhole) {
      client.conversation(id).merge(came, isWhole);
      changed(id, 'messages' in came);
    },
    open(id) {
      if (opened?.id !== id) {
        opened?.leave();
        opened = undefined;
      }
      store.setState({ open: id, leaving: undefined });
      // A conversation that is not stored yet cannot be subscribed to or read.
      if (!id || isBegun(store.getState().unsent, id)) return;
      const feed = client.conversation(id);
      // It is asked for again, because it may not have existed yet.
      if (feed.getSnapshot().status === 'gone') feed.reset();
      const isShown = () => document.visibilityState === 'visible';
      opened ??= { id, leave: feed.subscribe(() => changed(id), isShown) };
      changed(id);
      // Reads at once, because the acknowledgement may take long.
      void read(id);
    },
  };
}
