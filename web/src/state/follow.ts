import type { Api, Live, ServerMessage } from 'vigil-client';
import { isBehind, nothingKnown } from 'vigil-client/shared';
import { isBegun } from '../kept/unsent';
import { isNewVersion } from '../rows/branches';
import type { Approvals } from './approvals';
import type { Home } from './home';
import { listed, mergeInto, removed, timersListed, withOpened } from './merge';
import { readsConversation } from './read-conversation';
import type { VigilStore } from './vigil-state';

/**
 * Keeps the list and the open conversation up to date: merges what is pushed, and reads when the client says so. It
 * never polls.
 */
export interface Follow {
  open(id: string | undefined): void;
  read(id: string): Promise<void>;
}

export interface Following {
  approvals: Approvals;
  home: Home;
  live: Live;
  /** To be called with what the user should hear of. */
  noticed(message: Extract<ServerMessage, { type: 'notice' }>): void;
}

export function follow(store: VigilStore, api: Api, { approvals, home, live, noticed }: Following): Follow {
  const read = readsConversation(store, api);
  let opened: { id: string; leave(): void } | undefined;

  /** A conversation that is not stored yet cannot be subscribed to or read. */
  const isStored = (id: string) => !isBegun(store.getState().unsent, id);

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

  function heardOf(id: string, message: ServerMessage): void {
    if (message.type === 'deleted') removed(store, id);
    if (message.type !== 'rows' || 'list' in message) return;
    mergeInto(store, id, message.rows);
    if (isBehind(store.getState().known.get(id)?.live ?? nothingKnown)) void read(id);
  }

  function followed(id: string): typeof opened {
    const readIt = () => void read(id);
    const leave = live.follow(
      { conversationId: id },
      {
        subscribed: readIt,
        pong: readIt,
        heard: (message) => heardOf(id, message),
        gone: () => isStored(id) && removed(store, id),
        isShown: () => document.visibilityState === 'visible',
      },
    );
    return { id, leave };
  }

  live.follow({ list: true }, { subscribed: home.catchUp, heard: heardOfList });
  live.follow({ approvals: true }, { subscribed: home.catchUp, heard: () => void approvals.read() });
  return {
    read,
    open(id) {
      if (opened?.id !== id) {
        opened?.leave();
        opened = undefined;
      }
      store.setState(({ known }) => ({ open: id, known: id ? withOpened(known, id) : known }));
      if (!id || !isStored(id)) return;
      opened ??= followed(id);
      // Reads at once, because the acknowledgement may take long.
      void read(id);
    },
  };
}
