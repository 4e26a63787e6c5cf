import { type Api, RequestFailed } from 'vigil-client';
import { readsConversation as reads, wordsOf } from 'vigil-client/shared';
import { isBegun } from '../kept/unsent';
import { conversationRead, removed, withKnown } from './merge';
import { unknown, type VigilStore } from './vigil-state';

/** Returns a function that reads the unsettled part of a conversation, one read at a time. */
export function readsConversation(store: VigilStore, api: Api): (id: string) => Promise<void> {
  const readers = new Map<string, () => Promise<void>>();

  const readerOf = (id: string) =>
    reads(api, id, {
      rows: () => (store.getState().known.get(id) ?? unknown).live,
      read: (page, whole) => conversationRead(store, page, whole),
      failed: (error) => failed(id, error),
      isFollowed: () => store.getState().open === id && store.getState().connection === 'live',
    });

  function failed(id: string, error: unknown): void {
    if (error instanceof RequestFailed && error.status === 404) {
      if (!isBegun(store.getState().unsent, id)) removed(store, id);
      return;
    }
    store.setState((state) => {
      const held = state.known.get(id) ?? unknown;
      // Content on the screen stays there.
      if (held.reading.is === 'ready' || held.reading.is === 'gone') return {};
      return { known: withKnown(state, id, { ...held, reading: { is: 'failed', problem: wordsOf(error) } }) };
    });
  }

  return (id) => {
    const read = readers.get(id) ?? readerOf(id);
    readers.set(id, read);
    return read();
  };
}
