import type { ConversationPage } from '../../../lambdas/api/bodies';
import type { Api } from '../network/api';
import { wordsOf } from '../network/problem';
import { placeOf, withoutDeleted } from './list';
import { listed } from './merge';
import type { VigilStore } from './vigil-state';

export interface ReadsList {
  /** Reads the first page, where changes appear, and those after it that have been read before, where something may have been deleted. */
  catchUp(first?: Promise<ConversationPage>): Promise<void>;
  /** Reads one more page than before. @throws RequestFailed. */
  readOlder(): Promise<void>;
  /** Reads some hundred conversations, so that they are found by their titles. */
  readAhead(): Promise<void>;
  /** Reads a page of archived conversations. @returns the cursor of the next one. @throws RequestFailed. */
  readArchived(cursor?: string): Promise<string | undefined>;
}

/** At most so many are read again. */
const keptPages = 10;

/** A position between two pages: the cursor of the next page, and the last place in the list before it. */
interface Place {
  cursor: string;
  after?: string;
}

export function readsList(store: VigilStore, api: Api): ReadsList {
  /** The end of the farthest page read so far; '' means that the oldest conversation was read. */
  let farthest: string | undefined;
  let pagesRead = 1;
  let catchingUp = 0;

  /**
   * @returns the position of the next page, if there is one.
   */
  async function readPage(place?: Place, asking = api.list(place?.cursor)): Promise<Place | undefined> {
    const { list: asked, offset } = store.getState();
    const { conversations: page, cursor } = await asking;
    const read = { page, asked, after: place?.after, last: cursor === undefined, now: Date.now() + offset };
    listed(store, page);
    store.setState(({ list }) => ({ list: withoutDeleted(list, read), listReading: { is: 'ready' } }));
    const end = cursor === undefined ? '' : (page.map(placeOf).at(-1) ?? place?.after ?? '');
    if (farthest === undefined || end < farthest) {
      farthest = end;
      store.setState({ cursor });
    }
    return cursor === undefined ? undefined : { cursor, after: end };
  }

  async function readOlder(): Promise<void> {
    const { cursor } = store.getState();
    if (!cursor) return;
    await readPage({ cursor, after: farthest });
    pagesRead += 1;
  }

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
    catchUp(first) {
      catchingUp += 1;
      const mine = catchingUp;
      return attempt(async () => {
        let place = await readPage(undefined, first);
        // A later catch-up reads all pages again, so this one stops.
        for (let page = 1; place && page < Math.min(pagesRead, keptPages) && mine === catchingUp; page++)
          place = await readPage(place);
      });
    },
    readOlder,
    readAhead: () =>
      attempt(async () => {
        while (pagesRead < keptPages && store.getState().cursor) await readOlder();
      }),
    async readArchived(from) {
      const { conversations, cursor } = await api.listArchived(from);
      listed(store, conversations);
      return cursor;
    },
  };
}
