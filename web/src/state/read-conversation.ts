import { conversationOf } from '../../../core/live/live-merge';
import type { Api } from '../network/api';
import { RequestFailed, wordsOf } from '../network/problem';
import { conversationRead, removed, withKnown } from './merge';
import { settledSeq } from './transcript';
import { isBegun } from './unsent';
import { unknown, type VigilStore } from './vigil-state';

/** The pause after a read that failed temporarily. The next pong is minutes away. */
const againMs = 5_000;

/** Returns a function that reads the unsettled part of a conversation, one read at a time. */
export function readsConversation(store: VigilStore, api: Api): (id: string) => Promise<void> {
  /** The reads in progress; `true` if another one must follow. */
  const reading = new Map<string, boolean>();

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
      conversationRead(store, page, !page.more);
      const last = page.messages.at(-1);
      if (!page.more || !last) return;
      after = last.seq;
    }
  }

  const messagesOf = (id: string) =>
    conversationOf(store.getState().known.get(id)?.live ?? unknown.live)?.messages ?? [];

  function failed(id: string, error: unknown): void {
    if (error instanceof RequestFailed && error.status === 404) {
      if (!isBegun(store.getState().unsent, id)) removed(store, id);
      return;
    }
    if (error instanceof RequestFailed && error.passing) setTimeout(() => readIfShown(id), againMs);
    store.setState((state) => {
      const held = state.known.get(id) ?? unknown;
      // Content on the screen stays there.
      if (held.reading.is === 'ready' || held.reading.is === 'gone') return {};
      return { known: withKnown(state, id, { ...held, reading: { is: 'failed', problem: wordsOf(error) } }) };
    });
  }

  /** Without a connection, the reconnect triggers a read. */
  function readIfShown(id: string): void {
    const { open, connection } = store.getState();
    if (open === id && connection === 'live') void read(id);
  }

  return read;
}
