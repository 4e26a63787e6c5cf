import type { Api } from '../network/api';
import { wordsOf } from '../network/problem';
import { withoutDeleted } from './list';
import { listed } from './merge';
import type { VigilStore } from './vigil-state';

export interface ReadsList {
  /** Reads the first page only, where changes appear. */
  readList(): Promise<void>;
  /** Reads all kept pages after a connect: a conversation that has waited for long is not at the top. */
  catchUp(): Promise<void>;
  /** Reads one more page than before. @throws RequestFailed. */
  readOlder(): Promise<void>;
}

/** Some hundred conversations are loaded without a request. */
const keptPages = 10;

/**
 * The list is read from an index, which lags by moments. A change committed just before a subscription may be neither
 * read nor pushed, so the list is read once more.
 */
const secondLookMs = 5_000;

/** A position between two pages: the cursor of the next page, and the last `updatedAt` before it. */
interface Place {
  cursor: string;
  after?: string;
}

export function readsList(store: VigilStore, api: Api): ReadsList {
  /** The end of the farthest page read so far; '' means that the oldest conversation was read. */
  let farthest: string | undefined;
  let catchingUp = 0;
  let secondLook: ReturnType<typeof setTimeout> | undefined;

  /**
   * @returns the position of the next page, if there is one.
   */
  async function readPage(place?: Place): Promise<Place | undefined> {
    const { list: asked, offset } = store.getState();
    const { conversations: page, cursor } = await api.list(place?.cursor);
    const read = { page, asked, after: place?.after, last: cursor === undefined, now: Date.now() + offset };
    listed(store, page);
    store.setState(({ list }) => ({ list: withoutDeleted(list, read), listReading: { is: 'ready' } }));
    const end = cursor === undefined ? '' : (page.at(-1)?.updatedAt ?? place?.after ?? '');
    if (farthest === undefined || end < farthest) {
      farthest = end;
      store.setState({ cursor });
    }
    return cursor === undefined ? undefined : { cursor, after: end };
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

  const readList = () => attempt(() => readPage());
  return {
    readList,
    async catchUp() {
      catchingUp += 1;
      const mine = catchingUp;
      clearTimeout(secondLook);
      secondLook = setTimeout(() => void readList(), secondLookMs);
      await attempt(async () => {
        let place = await readPage();
        // A later catch-up reads all pages again, so this one stops.
        for (let pages = 1; place && pages < keptPages && mine === catchingUp; pages++) place = await readPage(place);
      });
    },
    async readOlder() {
      const { cursor } = store.getState();
      if (cursor) await readPage({ cursor, after: farthest });
    },
  };
}
