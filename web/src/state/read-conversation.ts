import { conversationOf, rowsOf } from '../../../core/live/live-merge';
import type { Api } from '../network/api';
import { RequestFailed, wordsOf } from '../network/problem';
import { mergeInto, removed, withKnown } from './merge';
import { isBegun } from './outbox';
import { settledSeq } from './transcript';
import { unknown, type VigilStore } from './vigil-state';

/** After a read that failed for the moment. The next pong would bring one too, but that is minutes away. */
const againMs = 5_000;

/** Reads a conversation from behind what is settled, one read at a time. */
export function readsConversation(store: VigilStore, api: Api): (id: string) => Promise<void> {
  /** Being read now; `true` where it is to be read once more afterwards. */
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
      if (!isBegun(store.getState().outbox, id)) removed(store, id);
      return;
    }
    if (error instanceof RequestFailed && error.passing) setTimeout(() => readIfShown(id), againMs);
    store.setState((state) => {
      const held = state.known.get(id) ?? unknown;
      // What is on the screen stays there.
      if (held.reading.is === 'ready' || held.reading.is === 'gone') return {};
      return { known: withKnown(state, id, { ...held, reading: { is: 'failed', problem: wordsOf(error) } }) };
    });
  }

  /** Without a connection there is a read when it is back. */
  function readIfShown(id: string): void {
    const { open, connection } = store.getState();
    if (open === id && connection === 'live') void read(id);
  }

  return read;
}
