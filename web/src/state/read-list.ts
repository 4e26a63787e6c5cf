import type { Api } from 'vigil-client';
import { type ReadsList as Reads, readsList as reads, wordsOf } from 'vigil-client/shared';
import { listed } from './merge';
import { nowIn } from './now';
import type { VigilStore } from './vigil-state';

/** `readOlder` @throws RequestFailed; the others show what fails. */
export interface ReadsList extends Pick<Reads, 'catchUp' | 'readOlder'> {
  /** Reads some hundred conversations, so that they are found by their titles. */
  readAhead(): Promise<void>;
  /** Reads a page of archived conversations. @returns the cursor of the next one. @throws RequestFailed. */
  readArchived(cursor?: string): Promise<string | undefined>;
}

export function readsList(store: VigilStore, api: Api): ReadsList {
  const { catchUp, readOlder, isFull } = reads(api, {
    list: () => store.getState().list,
    cursor: () => store.getState().cursor,
    now: () => nowIn(store.getState()),
    read: (page) => listed(store, page),
    change: (by) => store.setState(({ list }) => ({ list: by(list), listReading: { is: 'ready' } })),
    ends: (cursor) => store.setState({ cursor }),
  });

  async function attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      // Content on the screen stays there, and the next read updates it.
      store.setState(({ listReading }) =>
        listReading.is === 'ready' ? {} : { listReading: { is: 'failed', problem: wordsOf(error) } },
      );
    }
  }

  return {
    catchUp: (first) => attempt(() => catchUp(first)),
    readOlder,
    readAhead: () =>
      attempt(async () => {
        while (!isFull() && store.getState().cursor) await readOlder();
      }),
    async readArchived(from) {
      const { conversations, cursor } = await api.listArchived(from);
      listed(store, conversations);
      return cursor;
    },
  };
}
