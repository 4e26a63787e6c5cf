import { newPauses, untilAnswered } from '../again';
import type { Api } from '../api';
import type { AnswerCallback, Callback, Cancel, Conversation, Message, SendMessage } from '../api-types';
import { type MessageWithFiles, withUploads } from '../files/upload';
import { newId } from '../ids';
import type { Live } from '../live/live';
import type { ConversationHead, PushedRow, ServerMessage } from '../live/protocol';
import { conversationOf, isBehind, type LiveState, mergeDelta, mergeRows, nothingKnown, rowsOf } from '../live/rows';
import { RequestFailed } from '../problem';
import type { Conversations } from './conversations';
import { type Feed, newFeed, type Status } from './feed';
import { atNextFrame } from './next-frame';
import { isShared, mergeReads, nobody, type PeopleState, typists } from './people';
import { settledSeq } from './settled';
import { untilFresh } from './until-fresh';

export interface ConversationState {
  status: Status;
  /** With its rows in order, as far as they are known, and its versions as they were last read. */
  conversation?: Omit<Conversation, 'more'>;
  /** Who is in it at this moment, and how far each has read it. */
  people: PeopleState;
  /** The reason for `failed` or `gone`. */
  error?: Error;
}

/** One conversation, as it changes. */
export interface ConversationFeed extends Feed<ConversationState> {
  readonly id: string;
  /**
   * @param isShown whether the user sees it, so that nothing of it is sent to their devices. Nobody sees it by default.
   */
  subscribe(listener: () => void, isShown?: () => boolean): () => void;
  /** Reads what is new, also without a subscription. What fails is in the state. */
  read(): Promise<void>;
  /**
   * Merges a response of `api` that has the conversation or some of its rows, which are then known before they are pushed.
   *
   * @param isWhole whether no row is missing.
   */
  merge(came: Conversation | readonly PushedRow[], isWhole?: boolean): void;
  /** Forgets what is known, as before the first read. */
  reset(): void;
  /**
   * Sends a message, again until there is an answer. Each time it has the same `clientMessageId`, so it is stored once. Its `files` are
   * uploaded first.
   *
   * @throws RequestFailed if it is rejected, and the signal's reason after an abort. It may be stored then.
   */
  send(message: string | SendMessage | MessageWithFiles, signal?: AbortSignal): Promise<Message>;
  /** Answers a question, or decides about an approval. @throws RequestFailed. */
  answer(callbackId: string, answer: AnswerCallback): Promise<Callback>;
  /** Stops the run. @throws RequestFailed. */
  cancel(which?: Cancel): Promise<void>;
  /** To be called with each key of a message: tells the others that the user writes, every three seconds at most. */
  typing(): void;
  /** Tells the others that the user has read it up to a message. Nothing is sent twice, nor in a conversation of one person. */
  markRead(seq: number): void;
}

export interface Parts {
  /** The server's time. */
  now(): number;
  api: Api;
  live: Live;
  /** The API whose requests the signal aborts. */
  withSignal(signal?: AbortSignal): Api;
  /** Whether the home's feed is followed, which reads the lists together. */
  isReadAtHome(): boolean;
}

const notFound = 'The conversation was deleted.';

const peopleOf = ({ owner, members, offeredTo, takenBy }: ConversationHead): string =>
  JSON.stringify([owner, members, offeredTo, takenBy?.user]);

/** @param list hears at once what has become of it. */
export function conversationFeed(
  id: string,
  { api, live, withSignal }: Parts,
  list: Pick<Conversations, 'opened' | 'gone' | 'roleIn'>,
): ConversationFeed & { isFollowed(): boolean; deleted(): void } {
  let rows: LiveState = nothingKnown;
  let branches: Conversation['branches'];
  /** What the user is. Pushed rows are the same for all, and do not say it. */
  let role = list.roleIn(id);
  let marked = 0;
  let deletions = 0;
  const seen = new Set<() => boolean>();
  const feed = newFeed<ConversationState>({ status: 'loading', people: nobody }, () => {
    const leave = live.follow(
      { conversationId: id },
      {
        subscribed: () => void read(),
        pong: () => void read(),
        heard,
        gone: () => gone(new RequestFailed(404, `You have no conversation ${id}.`)),
        isShown: () => [...seen].some((isShown) => isShown()),
      },
    );
    return () => {
      leave();
      // Nobody tells who is there now.
      writing.clear();
      changePeople({ here: [] });
    };
  });

  const changePeople = (by: Partial<PeopleState>) => {
    const { people } = feed.getSnapshot();
    const isNew = (Object.keys(by) as (keyof PeopleState)[]).some((name) => by[name] !== people[name]);
    if (isNew) feed.change({ people: { ...people, ...by } });
  };
  const writing = typists((typing) => changePeople({ typing }));

  /** How its owner keeps it is theirs. */
  const asSeen = <Head extends ConversationHead>(head: Head): Head =>
    role ? { ...head, role, pinned: undefined, archived: undefined } : { ...head, role };
  const shown = () => {
    const known = conversationOf(rows);
    return known && { ...asSeen(known), branches };
  };

  function put(came: Conversation | readonly PushedRow[], isWhole = false): void {
    const { status } = feed.getSnapshot();
    const isRead = 'messages' in came;
    const all = isRead ? rowsOf(came) : came;
    const before = shown();
    if (isRead) role = came.role;
    const merged = mergeRows(rows, all);
    const versions = isRead ? (came.branches ?? []) : branches;
    const isNew =
      merged !== rows || before?.role !== role || (isRead && JSON.stringify(versions) !== JSON.stringify(branches));
    rows = merged;
    if (isNew) branches = versions;
    const conversation = isNew ? shown() : undefined;
    feed.change({
      status: isWhole ? 'ready' : status === 'gone' ? 'loading' : status,
      ...(conversation && { conversation }),
      ...(isWhole && { error: undefined }),
    });
    if (isRead && came.reads) changePeople({ reads: mergeReads(feed.getSnapshot().people.reads, came.reads) });
    const arePeopleNew = !isRead && before !== undefined && peopleOf(before) !== peopleOf(conversation ?? before);
    for (const one of all) {
      // What the user is may have changed with its people.
      if (one.kind === 'conversation' && 'row' in one && !arePeopleNew) list.opened(asSeen(one.row));
      if (one.kind === 'message' && 'row' in one) writing.forget(one.row.author);
    }
    if (arePeopleNew) void read();
  }

  /** What was on its way when it was deleted changes nothing. */
  const merge: ConversationFeed['merge'] = (...came) => {
    if (feed.getSnapshot().status !== 'gone') put(...came);
  };

  function gone(error: Error): void {
    deletions += 1;
    rows = nothingKnown;
    writing.clear();
    feed.change({ status: 'gone', conversation: undefined, error, people: nobody });
    list.gone(id);
  }
  const deleted = () => gone(new RequestFailed(404, notFound));

  function heard(message: ServerMessage): void {
    if (message.type === 'delta') heardDelta(message);
    if (message.type === 'deleted') deleted();
    if (message.type === 'here') changePeople({ here: message.users });
    if (message.type === 'typing') writing.heard(message.user);
    if (message.type === 'read') changePeople({ reads: mergeReads(feed.getSnapshot().people.reads, [message]) });
    if (message.type !== 'rows' || 'list' in message) return;
    merge(message.rows);
    if (isBehind(rows)) void read();
  }

  /** Many deltas may come at once, after the network was slow: they are shown together. */
  function heardDelta(delta: Extract<ServerMessage, { type: 'delta' }>): void {
    const before = rows;
    if (feed.getSnapshot().status !== 'gone') rows = mergeDelta(rows, delta);
    if (rows === before) return;
    showSoon();
    if (isBehind(rows)) void read();
  }
  const showSoon = atNextFrame(() => {
    const conversation = shown();
    if (conversation) feed.change({ conversation });
  });

  async function readPage(...asked: Parameters<Api['read']>): Promise<Conversation> {
    const before = deletions;
    const page = await api.read(...asked);
    if (before !== deletions) throw new RequestFailed(404, notFound);
    return page;
  }

  async function readUnsettled(): Promise<void> {
    let after: number | undefined = settledSeq(conversationOf(rows)?.messages ?? []);
    while (after !== undefined) {
      const page = await readPage(id, after);
      put(page, !page.more);
      after = page.more ? page.messages.at(-1)?.seq : undefined;
    }
  }

  // The next pong is minutes away.
  const pauses = newPauses();
  const read = untilFresh(async () => {
    try {
      await readUnsettled();
      pauses.reset();
    } catch (error) {
      if (error instanceof RequestFailed && error.status === 404) gone(error);
      else feed.failed(error);
      // Without a connection, the reconnect causes a read.
      const isLive = () => feed.isFollowed() && live.connection === 'live';
      if (error instanceof RequestFailed && error.passing)
        setTimeout(() => isLive() && void read(), pauses.next(error));
    }
  });

  return {
    id,
    getSnapshot: feed.getSnapshot,
    isFollowed: feed.isFollowed,
    deleted,
    read,
    merge,
    reset() {
      rows = nothingKnown;
      branches = undefined;
      feed.change({ status: 'loading', conversation: undefined, error: undefined });
    },
    subscribe(listener, isShown) {
      const sees = () => isShown?.() ?? false;
      seen.add(sees);
      const leave = feed.subscribe(listener);
      return () => {
        seen.delete(sees);
        leave();
      };
    },
    async send(given, signal) {
      const message = typeof given === 'string' ? { text: given } : given;
      const body = { clientMessageId: newId(), ...(await withUploads(withSignal, message, signal)) };
      const row = await untilAnswered(() => withSignal(signal).say(id, body), signal);
      merge([{ kind: 'message', row }]);
      writing.sent();
      return row;
    },
    async answer(callbackId, answer) {
      const row = await api.answer(id, callbackId, answer);
      merge([{ kind: 'callback', row }]);
      return row;
    },
    async cancel(which = {}) {
      merge(await api.cancel(id, which));
    },
    typing() {
      writing.typed(() => live.typing(id));
    },
    markRead(seq) {
      const { members, takenBy } = feed.getSnapshot().conversation ?? {};
      if (seq <= marked || !isShared(members, takenBy)) return;
      const before = marked;
      marked = seq;
      api.markRead(id, seq).catch(() => {
        // The next message, or another look, says it again.
        marked = Math.min(marked, before);
      });
    },
  };
}
