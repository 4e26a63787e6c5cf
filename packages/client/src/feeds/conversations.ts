import type { ConversationPage, ConversationSummary, HomePage } from '../api-types';
import type { ServerMessage } from '../live/protocol';
import { pagesOf } from '../pages';
import { RequestFailed } from '../problem';
import { allOver } from './all-over';
import type { Parts } from './conversation';
import type { Feed, Status } from './feed';
import { type List, mergeList, placeOf, rootOf, withoutDeleted, withoutUnshared } from './list';
import { listFeed } from './list-feed';

export interface ConversationsState {
  status: Exclude<Status, 'gone'>;
  /**
   * Those that are known, in the server's order: pinned ones first, then the last changed. None that is archived. Those of other users have
   * a `role`.
   */
  conversations: readonly ConversationSummary[];
  /** All that are known, by id, archived ones too: those of the list, and those that were opened. */
  byId: List;
  /** The ids of those that were deleted meanwhile, or that the user does not have. What comes late brings none of them back. */
  deleted: ReadonlySet<string>;
  /** Whether there are older ones. */
  hasMore: boolean;
  /** The reason for `failed`. */
  error?: Error;
}

/** The user's list of conversations, as it changes. */
export interface ConversationsFeed extends Feed<ConversationsState> {
  /** Reads it, also without a subscription. What fails is in the state. */
  read(): Promise<void>;
  /** Reads one more page. @throws RequestFailed. */
  readMore(): Promise<void>;
  /** Reads some hundred, so that they can be searched by their titles. @throws RequestFailed. */
  readAhead(): Promise<void>;
  /** Merges a response of `api`, for example archived conversations. */
  merge(came: readonly ConversationSummary[]): void;
  /** Deletes a conversation with its versions, which leave the state at once. @throws RequestFailed. */
  remove(id: string): Promise<void>;
}

/** At most so many pages are read again. */
const keptPages = 10;

/** @param deleted is called with each conversation that is heard to be deleted. */
export function conversationsFeed(
  { api, live, now, isReadAtHome }: Pick<Parts, 'api' | 'live' | 'now' | 'isReadAtHome'>,
  deleted: (id: string) => void,
) {
  let cursor: string | undefined;
  /** The end of the farthest page read so far; '' means that the oldest conversation was read. */
  let farthest: string | undefined;
  let pagesRead = 1;
  /** The last version that was known of each that is gone. */
  const goneAt = new Map<string, number>();

  const feed = listFeed<ConversationsState, Pick<HomePage, 'conversations' | 'shared'>>(
    { status: 'loading', conversations: [], byId: new Map(), deleted: new Set(), hasMore: false },
    {
      begin: (reads) => [live.follow({ list: true }, { ...reads, heard })],
      // The first page, where changes appear, and those after it that have been read before, where something may have been deleted.
      async read(first) {
        await allOver([
          readOwn(first?.then(({ conversations }) => conversations)),
          readShared(first?.then(({ shared }) => shared)),
        ]);
      },
      isReadElsewhere: isReadAtHome,
    },
  );
  const state = feed.getSnapshot;

  function change(by: (list: List) => List, isRead = false): void {
    const byId = by(state().byId);
    feed.change({
      ...(isRead && { status: 'ready', error: undefined }),
      ...(byId !== state().byId && { byId, conversations: listed(byId) }),
    });
  }

  const merge: ConversationsFeed['merge'] = (came) =>
    change((list) =>
      mergeList(
        list,
        came.filter(({ id }) => !state().deleted.has(id)),
      ),
    );

  /** @returns the place of the next page, if there is one: its cursor, and the last place in the list before it. */
  async function readPage(place?: { cursor: string; after?: string }, asking = api.list(place?.cursor)) {
    const [asked, askedAt] = [state().byId, now()];
    const { conversations: page, cursor: next } = await asking;
    merge(page);
    const read = { page, asked, after: place?.after, last: next === undefined, now: askedAt };
    change((list) => withoutDeleted(list, read), true);
    const end = next === undefined ? '' : (page.map(placeOf).at(-1) ?? place?.after ?? '');
    if (farthest === undefined || end < farthest) {
      farthest = end;
      cursor = next;
      feed.change({ hasMore: cursor !== undefined });
    }
    return next === undefined ? undefined : { cursor: next, after: end };
  }

  async function readOwn(first?: Promise<ConversationPage>): Promise<void> {
    let place = await readPage(undefined, first);
    for (let page = 1; place && page < Math.min(pagesRead, keptPages); page++) place = await readPage(place);
  }

  /** Those that others share with the user. Of a group's, nothing is pushed. */
  async function readShared(first?: Promise<ConversationPage>): Promise<void> {
    const { byId: asked } = state();
    const shared: ConversationSummary[] = [];
    for await (const { conversations } of pagesOf(api.listShared, first)) shared.push(...conversations);
    revive(shared);
    merge(shared);
    change((list) => withoutUnshared(list, { shared, asked }));
  }

  async function readMore(): Promise<void> {
    if (!cursor) return;
    await readPage({ cursor, after: farthest });
    pagesRead += 1;
  }

  function gone(id: string): void {
    if (state().deleted.has(id)) return;
    goneAt.set(id, state().byId.get(id)?.version ?? 0);
    feed.change({ deleted: new Set(state().deleted).add(id) });
    change((list) => (list.has(id) ? new Map([...list].filter(([one]) => one !== id)) : list));
    deleted(id);
  }

  /** Those that are shared with the user again. */
  function revive(shared: readonly ConversationSummary[]): void {
    const again = new Set(shared.map(({ id }) => id));
    if ([...again].some((id) => state().deleted.has(id)))
      feed.change({ deleted: new Set([...state().deleted].filter((id) => !again.has(id))) });
  }

  function heard(message: ServerMessage): void {
    if (message.type === 'deleted') gone(message.conversationId);
    if (message.type !== 'rows' || !('list' in message)) return;
    const came = message.rows.flatMap((one) => (one.kind === 'conversation' ? [one.row] : []));
    revive(came.filter(({ id, role, version }) => role && version > (goneAt.get(id) ?? 0)));
    merge(came);
  }

  const itself: ConversationsFeed = {
    getSnapshot: state,
    subscribe: feed.subscribe,
    read: () => feed.read(),
    readMore,
    async readAhead() {
      while (cursor && pagesRead < keptPages) await readMore();
    },
    merge,
    async remove(id) {
      await api.remove(id).catch((error: unknown) => {
        // It is deleted already.
        if (!(error instanceof RequestFailed && error.status === 404)) throw error;
      });
      const root = rootOf(state().byId.get(id) ?? { id });
      const versions = [...state().byId.values()].filter((one) => rootOf(one) === root);
      for (const one of [{ id }, ...versions]) gone(one.id);
    },
  };
  return {
    itself,
    /** For the client's other feeds. */
    read: feed.read,
    change,
    gone,
    roleIn: (id: string) => state().byId.get(id)?.role,
    /** A conversation was read itself. It may have been started again under the id of a deleted one. */
    opened(one: ConversationSummary): void {
      // A person who reads a conversation also reads those of its sub-agents. They are in no list.
      if (one.role && one.parentId && !state().byId.has(one.id)) return;
      if (state().deleted.has(one.id))
        feed.change({ deleted: new Set([...state().deleted].filter((id) => id !== one.id)) });
      merge([one]);
    },
  };
}
export type Conversations = ReturnType<typeof conversationsFeed>;

const listed = (list: List): ConversationSummary[] =>
  [...list.values()].filter(({ archived }) => !archived).sort((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1));
