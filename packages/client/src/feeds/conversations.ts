import type { ConversationSummary } from '../api-types';
import type { ServerMessage } from '../live/protocol';
import type { Parts } from './conversation';
import { type Feed, newFeed, type Status } from './feed';
import { type List, mergeList, placeOf } from './list';
import { readsList } from './read-list';
import { secondLook } from './second-look';
import { untilFresh } from './until-fresh';

export interface ConversationsState {
  status: Exclude<Status, 'gone'>;
  /** Those that have been read, in the server's order: pinned ones first, then the last changed. None that is archived. */
  conversations: readonly ConversationSummary[];
  /** Whether there are older ones. */
  hasMore: boolean;
  /** The reason for `failed`. */
  error?: Error;
}

/** The user's list of conversations, as it changes. */
export interface ConversationsFeed extends Feed<ConversationsState> {
  /** Reads one more page. @throws RequestFailed. */
  readMore(): Promise<void>;
}

export function conversationsFeed({ api, live, now }: Pick<Parts, 'api' | 'live' | 'now'>): ConversationsFeed {
  let list: List = new Map();
  let cursor: string | undefined;

  const feed = newFeed<ConversationsState>({ status: 'loading', conversations: [], hasMore: false }, () => {
    const leave = live.follow({ list: true }, { subscribed, pong: () => void catchUp(), heard });
    return () => {
      again.cancel();
      leave();
    };
  });

  function change(by: (list: List) => List, status = feed.getSnapshot().status): void {
    const changed = by(list);
    const isNew = changed !== list;
    list = changed;
    feed.change({
      status,
      ...(status === 'ready' && { error: undefined }),
      ...(isNew && { conversations: shown(list) }),
    });
  }

  const { catchUp: read, readOlder } = readsList(api, {
    list: () => list,
    cursor: () => cursor,
    now,
    read: (page) => change((held) => mergeList(held, page)),
    change: (by) => change(by, 'ready'),
    ends(next) {
      cursor = next;
      feed.change({ hasMore: next !== undefined });
    },
  });
  const catchUp = untilFresh(async () => {
    try {
      await read();
    } catch (error) {
      feed.failed(error);
    }
  });
  const again = secondLook(catchUp);

  function subscribed(): void {
    void catchUp();
    again.order();
  }

  function heard(message: ServerMessage): void {
    if (message.type === 'deleted')
      change((held) => new Map([...held].filter(([id]) => id !== message.conversationId)));
    if (message.type !== 'rows' || !('list' in message)) return;
    change((held) =>
      mergeList(
        held,
        message.rows.flatMap((one) => (one.kind === 'conversation' ? [one.row] : [])),
      ),
    );
  }

  return { getSnapshot: feed.getSnapshot, subscribe: feed.subscribe, readMore: readOlder };
}

const shown = (list: List): ConversationSummary[] =>
  [...list.values()].filter(({ archived }) => !archived).sort((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1));
