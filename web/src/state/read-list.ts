import type { Api } from '../network/api';
import { wordsOf } from '../network/problem';
import { withoutDeleted } from './list';
import { listed } from './merge';
import type { VigilStore } from './vigil-state';

export interface ReadsList {
  /** Its first page, and no more: what has changed is there. */
  readList(): Promise<void>;
  /** After a connection has begun: as much of it as is kept, since what has waited for somebody for long is not at its top. */
  catchUp(): Promise<void>;
  /** One page more than ever before. @throws RequestFailed. */
  readOlder(): Promise<void>;
}

/** Some hundred conversations are known without being asked for. */
const keptPages = 10;

/**
 * The list is read from an index that is late by moments, so what was committed just before a subscription may be neither in the
 * read nor pushed. So it is read once more.
 */
const secondLookMs = 5_000;

/** A place between two pages: where the next one goes on, and the last `updatedAt` before it. */
interface Place {
  cursor: string;
  after?: string;
}

export function readsList(store: VigilStore, api: Api): ReadsList {
  /** Where the farthest page ended: '' is behind the oldest conversation. */
  let farthest: string | undefined;
  let catchingUp = 0;
  let secondLook: ReturnType<typeof setTimeout> | undefined;

  /** @returns where the next page begins, if there is one. */
  async function readPage(place?: Place): Promise<Place | undefined> {
    const { list: asked, offset } = store.getState();
    const { conversations: page, cursor } = await api.list(place?.cursor);
    const read = { page, asked, after: place?.after, last: cursor === undefined, now: Date.now() + offset };
    store.setState(({ list }) => ({ list: withoutDeleted(list, read), listReading: { is: 'ready' } }));
    listed(store, page);
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
      // What is on the screen stays there: the next read mends it.
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
        // A later one goes over all of it again.
        for (let pages = 1; place && pages < keptPages && mine === catchingUp; pages++) place = await readPage(place);
      });
    },
    async readOlder() {
      const { cursor } = store.getState();
      if (cursor) await readPage({ cursor, after: farthest });
    },
  };
}
