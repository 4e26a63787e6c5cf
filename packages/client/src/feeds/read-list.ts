import type { Api } from '../api';
import type { ConversationPage, ConversationSummary } from '../api-types';
import { type List, placeOf, withoutDeleted } from './list';

export interface ReadsList {
  /** Reads the first page, where changes appear, and those after it that have been read before, where something may have been deleted. */
  catchUp(first?: Promise<ConversationPage>): Promise<void>;
  /** Reads one more page than before. */
  readOlder(): Promise<void>;
  /** Whether more may be read, of which the next catch-ups read all again. */
  isFull(): boolean;
}

/** The store of the list. */
export interface HeldList {
  list(): List;
  cursor(): string | undefined;
  /** The server's time. */
  now(): number;
  /** Merges a page of the list. */
  read(page: readonly ConversationSummary[]): void;
  change(by: (list: List) => List): void;
  /** @param cursor of older conversations, if there are any. */
  ends(cursor: string | undefined): void;
}

/** At most so many are read again. */
const keptPages = 10;

/** A position between two pages: the cursor of the next page, and the last place in the list before it. */
interface Place {
  cursor: string;
  after?: string;
}

/** Every method @throws RequestFailed. */
export function readsList(api: Pick<Api, 'list'>, held: HeldList): ReadsList {
  /** The end of the farthest page read so far; '' means that the oldest conversation was read. */
  let farthest: string | undefined;
  let pagesRead = 1;
  let catchingUp = 0;

  /**
   * @returns the position of the next page, if there is one.
   */
  async function readPage(place?: Place, asking = api.list(place?.cursor)): Promise<Place | undefined> {
    const asked = held.list();
    const now = held.now();
    const { conversations: page, cursor } = await asking;
    held.read(page);
    held.change((list) => withoutDeleted(list, { page, asked, after: place?.after, last: cursor === undefined, now }));
    const end = cursor === undefined ? '' : (page.map(placeOf).at(-1) ?? place?.after ?? '');
    if (farthest === undefined || end < farthest) {
      farthest = end;
      held.ends(cursor);
    }
    return cursor === undefined ? undefined : { cursor, after: end };
  }

  return {
    async catchUp(first) {
      catchingUp += 1;
      const mine = catchingUp;
      let place = await readPage(undefined, first);
      // A later catch-up reads all pages again, so this one stops.
      for (let page = 1; place && page < Math.min(pagesRead, keptPages) && mine === catchingUp; page++)
        place = await readPage(place);
    },
    async readOlder() {
      const cursor = held.cursor();
      if (!cursor) return;
      await readPage({ cursor, after: farthest });
      pagesRead += 1;
    },
    isFull: () => pagesRead >= keptPages,
  };
}
