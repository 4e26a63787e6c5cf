import type { Allowance, ConversationSummary, HomePage, Invitation, OwnTimer, TimerPage } from '../api-types';
import type { ServerMessage } from '../live/protocol';
import { pagesOf } from '../pages';
import { allOver } from './all-over';
import type { approvalsFeed } from './approvals';
import type { Parts } from './conversation';
import type { Conversations } from './conversations';
import type { Feed, Status } from './feed';
import { withoutClosed } from './list';
import { listFeed } from './list-feed';
import { mergeTimers, type Timers, withRead } from './timers';

export interface HomeState {
  status: Exclude<Status, 'gone'>;
  /** The timers of all conversations, those that have ended meanwhile as well. */
  timers: readonly OwnTimer[];
  /** What the user has used of each limit, as it was last read. */
  usage: readonly Allowance[];
  /** The invitations to other users' conversations that the user has not answered. */
  invitations: readonly Invitation[];
  /** Whether the deployment counts the user among its developers; undefined before that is read. */
  isDeveloper?: boolean;
  /** The reason for `failed`. */
  error?: Error;
}

/**
 * What a user has, as it changes: all lists by one request. While it is followed, it reads the list of conversations and the
 * approvals too, and the list has all conversations with an open or failed run.
 */
export interface HomeFeed extends Feed<HomeState> {
  /** Reads it with the other lists, also without a subscription. What fails is in the states. */
  read(): Promise<void>;
  /**
   * To be called when the user sees it. It is read then, and what the user has spent again when runs pause or end, which is
   * not pushed.
   *
   * @returns what ends it.
   */
  show(): () => void;
  /** Merges timers of a response of `api`. */
  merge(timers: readonly OwnTimer[]): void;
}

/** The acknowledgements of a connection come together. */
const togetherMs = 50;
/** The shortest time between two reads of what the user has spent. */
const spendingMs = 5_000;

export function homeFeed(
  { api, live, now }: Pick<Parts, 'api' | 'live' | 'now'>,
  { conversations, approvals }: { conversations: Conversations; approvals: ReturnType<typeof approvalsFeed> },
): HomeFeed & { isFollowed(): boolean } {
  const list = conversations.itself;
  let timers: Timers = new Map();
  let views = 0;
  let isReading = false;
  let invitationReads = 0;
  let spending: ReturnType<typeof setTimeout> | undefined;

  const feed = listFeed<HomeState>(
    { status: 'loading', timers: [], usage: [], invitations: [] },
    {
      begin: (reads) => [
        list.subscribe(() => change((held) => held)),
        approvals.subscribe(() => undefined),
        live.follow({ list: true }, { ...reads, heard }),
        live.follow({ approvals: true }, { ...reads, heard: () => undefined }),
        () => clearTimeout(spending),
      ],
      async read() {
        isReading = true;
        const page = api.home();
        const readsBefore = invitationReads;
        try {
          await allOver([
            conversations.read(page),
            approvals.read(page.then(({ approvals }) => approvals)),
            readTimers(page.then(({ timers }) => timers)),
            readOpen(page),
            page.then(({ usage, invitations, isDeveloper }) =>
              feed.change({ usage, isDeveloper, ...(readsBefore === invitationReads && { invitations }) }),
            ),
          ]);
          feed.change({ status: 'ready', error: undefined });
        } finally {
          isReading = false;
        }
      },
      togetherMs,
    },
  );

  /** Without those of deleted conversations. */
  function change(by: (timers: Timers) => Timers): void {
    const { deleted } = list.getSnapshot();
    const all = by(timers);
    const left = [...all].filter(([, { conversationId }]) => !deleted.has(conversationId));
    if (all === timers && left.length === timers.size) return;
    timers = new Map(left);
    feed.change({ timers: [...timers.values()] });
  }
  const merge: HomeFeed['merge'] = (came) => change((held) => mergeTimers(held, came));

  async function readTimers(first: Promise<TimerPage>): Promise<void> {
    const asked = timers;
    const read: OwnTimer[] = [];
    for await (const page of pagesOf(api.timers, first)) {
      read.push(...page.timers);
      list.merge(page.conversations);
    }
    change((held) => withRead(held, { read, asked, now: now() }));
  }

  async function readOpen(first: Promise<HomePage>): Promise<void> {
    const { byId: asked } = list.getSnapshot();
    const open = (await Promise.all([readState('active', first), readState('failed', first)])).flat();
    list.merge(open);
    conversations.change((held) => withoutClosed(held, { open, asked, now: now() }));
  }

  async function readState(state: 'active' | 'failed', first: Promise<HomePage>): Promise<ConversationSummary[]> {
    const read: ConversationSummary[] = [];
    const page = first.then((home) => home[state]);
    for await (const { conversations } of pagesOf((cursor) => api.listOpen(state, cursor), page))
      read.push(...conversations);
    return read;
  }

  function heard(message: ServerMessage): void {
    if (message.type === 'changed') readInvitations();
    if (message.type !== 'rows' || !('list' in message)) return;
    merge(
      message.rows.flatMap((one) => (one.kind === 'timer' ? [{ ...one.row, conversationId: one.conversationId }] : [])),
    );
    // While a run is `running`, its step is not paid yet.
    if (message.rows.some((one) => one.kind === 'conversation' && one.row.status !== 'running')) readSpendingLater();
  }

  /** What is not read now is read with the rest. An answer that comes after that of a later request is old. */
  function readInvitations(): void {
    invitationReads += 1;
    const mine = invitationReads;
    api.invitations().then(
      ({ invitations }) => mine === invitationReads && feed.change({ invitations }),
      () => undefined,
    );
  }

  function readSpendingLater(): void {
    if (views === 0) return;
    spending ??= setTimeout(() => {
      spending = undefined;
      if (views > 0)
        api.usage().then(
          ({ usage }) => feed.change({ usage }),
          () => undefined,
        );
    }, spendingMs);
  }

  return {
    getSnapshot: feed.getSnapshot,
    subscribe: feed.subscribe,
    isFollowed: feed.isFollowed,
    read: () => feed.read(),
    show() {
      views += 1;
      // At the start, it is being read.
      if (!isReading) void feed.read();
      let isShown = true;
      return () => {
        if (isShown) views -= 1;
        isShown = false;
      };
    },
    merge,
  };
}
