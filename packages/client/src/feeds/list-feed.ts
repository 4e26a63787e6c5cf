import type { Follower } from '../live/live';
import { newFeed, type Status } from './feed';
import { untilFresh } from './until-fresh';

/** The indexes lag by moments: a change committed just before a subscription may be neither read nor pushed. */
const secondLookMs = 5_000;

export interface ListFeedOptions<Page> {
  /** Begins to follow, and returns what ends it. @param reads when to read. */
  begin(reads: Pick<Follower, 'subscribed' | 'pong'>): (() => void)[];
  /** @param first the first page, if another feed has asked for it. @throws RequestFailed. */
  read(first?: Promise<Page>): Promise<void>;
  /** Whether another feed reads it after a connect, together with its own. */
  isReadElsewhere?(): boolean;
  /** The time in which the acknowledgements of a connection come together. */
  togetherMs?: number;
}

/** A feed that is read from an index: after each connect, at each pong, and on request. What fails is in the state. */
export function listFeed<State extends { status: Status; error?: Error }, Page = undefined>(
  state: State,
  { begin, read, isReadElsewhere = () => false, togetherMs = 0 }: ListFeedOptions<Page>,
) {
  let soon: ReturnType<typeof setTimeout> | undefined;
  let later: ReturnType<typeof setTimeout> | undefined;
  const feed = newFeed<State>(state, () => {
    const ends = begin({
      subscribed() {
        readSoon();
        if (!isReadElsewhere()) lookLater();
      },
      pong: readSoon,
    });
    return () => {
      clearTimeout(soon);
      clearTimeout(later);
      for (const end of ends) end();
    };
  });

  const readUntilFresh = untilFresh<Promise<Page>>(async (first) => {
    try {
      await read(first);
    } catch (error) {
      feed.failed(error);
    }
  });

  function readSoon(): void {
    clearTimeout(soon);
    if (!isReadElsewhere()) soon = setTimeout(readUntilFresh, togetherMs);
  }

  /** Reads once more, some seconds after the last call. */
  function lookLater(): void {
    clearTimeout(later);
    later = setTimeout(readUntilFresh, secondLookMs);
  }

  return {
    ...feed,
    read(first?: Promise<Page>): Promise<void> {
      // A read that is in progress does not need it.
      first?.catch(() => undefined);
      return readUntilFresh(first);
    },
    readTwice(): void {
      void readUntilFresh();
      lookLater();
    },
  };
}
