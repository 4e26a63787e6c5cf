import { type AnswerCallback, type Client, type OwnTimer, RequestFailed, type WaitingApproval } from 'vigil-client';
import { type List, newPauses, rootOf } from 'vigil-client/shared';
import { withDraft } from '../hooks/drafts';
import { wordsOf } from '../words/problem-words';
import type { Decide } from './approvals';
import type { VigilStore } from './vigil-state';

/** What is sent after its time. The browser's storage has it. */
type Wish =
  | { is: 'decide'; conversationId: string; callbackId: string; answer: AnswerCallback }
  | { is: 'cancelTimer'; conversationId: string; timerId: string }
  | { is: 'forget'; memoryId: string }
  | { is: 'delete'; conversationId: string };

/** Something that the user has pressed. Its receipt is shown in its place, or as a notice where that place is not on the screen. */
export interface Held {
  /** The row that it is about. */
  key: string;
  /** Undefined if it is sent at once. It then cannot be taken back, and is not kept. */
  wish?: Wish;
  /** What has been pressed: “Approved €189.50”. */
  words: string;
  /** What it is about, for where the row itself is not shown. */
  about?: string;
  /**
   * - `held`: it can be taken back, until its time is over.
   * - `queued`: its time is over, and it waits for the connection.
   * - `done`: it is stored, and its receipt is still shown.
   */
  status: 'held' | 'queued' | 'sending' | 'done' | 'refused';
  /** When it was pressed, by `performance.now()`: a browser's clock may be moved. */
  at: number;
  /** When its time is over; undefined while that is stopped, and in other tabs. */
  until?: number;
  /** Why it was refused, or is not sent yet. */
  problem?: string;
}
export type AllHeld = ReadonlyMap<string, Held>;

/**
 * Sends what the user decides, ends or deletes after a while in which they can take it back. Until then, nothing has happened. Without a
 * connection it is queued, and sent when the connection is back.
 *
 * The browser's storage has what is not sent yet, so all tabs show the same. It is sent when its time is over, and when the page is left or
 * hidden. If the browser dies before that, the next page shows it again. Every request may be repeated: it changes nothing the second time.
 */
export interface Holding {
  /** @param atOnce nothing needs to be taken back, except while there is no connection. */
  begin(wish: Wish, words: Pick<Held, 'words' | 'about'>, atOnce?: boolean): void;
  /**
   * Does something at once, and leaves its receipt in its place.
   *
   * @param work returns `false` if it has failed, and has said so.
   * @returns whether it is done. @throws what `work` throws.
   */
  atOnce(key: string, words: string, work: () => Promise<unknown>): Promise<boolean>;
  undo(key: string): void;
  /** Whether what is begun waits for the connection. */
  isOffline(): boolean;
  /** Sends it now. */
  finish(key: string): Promise<void>;
  /** Stops its time while the user is at its receipt, for a minute at most. */
  pause(key: string): void;
  resume(key: string): void;
  /** Sends what is queued, after a reconnect. */
  reconnected(): void;
}

const undoMs = 8_000;
const longestMs = 60_000;
/** How long a receipt is shown after its request is stored. */
const shownMs = 5_000;

export const deletionOf = (conversationId: string): string => `delete ${conversationId}`;

function keyOf(wish: Wish): string {
  switch (wish.is) {
    case 'decide':
      return wish.callbackId;
    case 'cancelTimer':
      return wish.timerId;
    case 'forget':
      return wish.memoryId;
    case 'delete':
      return deletionOf(wish.conversationId);
  }
}

const isUnsent = ({ wish, status }: Held): boolean => wish !== undefined && status !== 'done' && status !== 'refused';

export interface HoldingOptions {
  decide: Decide;
  /** Called with a timer that is cancelled. */
  cancelled(timer: OwnTimer): void;
  user: string;
}

export function holding(
  store: VigilStore,
  { api, conversations }: Pick<Client, 'api' | 'conversations'>,
  { decide, cancelled, user }: HoldingOptions,
): Holding {
  const place = `vigil.held.${user}`;
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const pauses = newPauses();
  /** What was pressed in this tab, or before it was loaded. The rest is for other tabs to send, as long as they live. */
  const own = new Set<string>();
  /** What the storage has no room for lasts as long as the page. */
  let isKept = true;

  const get = (key: string) => store.getState().held.get(key);
  const stored = (): Held[] => heldFrom(localStorage.getItem(place));
  /** The user may have taken it back in another tab. */
  const isTakenBack = (key: string) => isKept && !stored().some((one) => one.key === key);
  const isOffline = () => !navigator.onLine && store.getState().connection !== 'live';

  function keep(all: readonly Held[]): void {
    try {
      if (all.length > 0) localStorage.setItem(place, JSON.stringify(all));
      else localStorage.removeItem(place);
      isKept = true;
    } catch {
      isKept = false;
    }
  }
  function put(one: Held): void {
    store.setState(({ held }) => ({ held: new Map(held).set(one.key, one) }));
    if (one.wish) keep([...stored().filter(({ key }) => key !== one.key), ...(isUnsent(one) ? [one] : [])]);
  }
  function drop(key: string): void {
    clearTimeout(timers.get(key));
    own.delete(key);
    store.setState(({ held }) => ({ held: new Map([...held].filter(([one]) => one !== key)) }));
    keep(stored().filter((one) => one.key !== key));
  }
  function inTime(key: string, ms: number, act: () => void): void {
    clearTimeout(timers.get(key));
    timers.set(key, setTimeout(act, ms));
  }

  async function sendWish(wish: Wish): Promise<void> {
    switch (wish.is) {
      case 'decide':
        return decide(wish.conversationId, { id: wish.callbackId }, wish.answer);
      case 'cancelTimer':
        return cancelled({
          ...(await api.cancelTimer(wish.conversationId, wish.timerId)),
          conversationId: wish.conversationId,
        });
      case 'forget':
        // One that is not there any more is forgotten.
        return api.forget(wish.memoryId).catch((error: unknown) => {
          if (!(error instanceof RequestFailed && error.status === 404)) throw error;
        });
      case 'delete':
        return conversations.remove(wish.conversationId);
    }
  }

  function settle(one: Held): void {
    const { wish } = one;
    if (wish?.is === 'decide')
      store.setState(({ drafts }) => ({
        drafts: withDraft(drafts, `${wish.conversationId} ${wish.callbackId}`, undefined),
      }));
    put({ ...one, status: 'done', problem: undefined });
    inTime(one.key, shownMs, () => drop(one.key));
  }

  async function finish(key: string): Promise<void> {
    const one = get(key);
    if (!one?.wish || !isUnsent(one) || one.status === 'sending') return;
    if (isTakenBack(key)) return drop(key);
    if (isOffline()) return put({ ...one, status: 'queued' });
    clearTimeout(timers.get(key));
    put({ ...one, status: 'sending', problem: undefined });
    try {
      await sendWish(one.wish);
      pauses.reset();
      settle(one);
    } catch (error) {
      if (isOwnDecision(error, one.wish, user)) return settle(one);
      const isPassing = error instanceof RequestFailed && error.passing;
      put({ ...one, status: isPassing ? 'queued' : 'refused', problem: wordsOf(error) });
      if (isPassing) inTime(key, pauses.next(error), () => void finish(key));
    }
  }

  const hold = (key: string, ms: number) => inTime(key, ms, () => void finish(key));

  /** Takes over what the storage has: from before this page, or from another tab, which sends it itself as long as it lives. */
  function look(isFirst: boolean): void {
    const there = new Map(stored().map((one) => [one.key, one]));
    for (const [key, one] of store.getState().held) if (isUnsent(one) && !there.has(key)) drop(key);
    for (const [key, one] of there) {
      const isKnown = store.getState().held.has(key);
      if (isKnown && own.has(key)) continue;
      if (isFirst) own.add(key);
      const until = isFirst ? performance.now() + undoMs : undefined;
      const at = performance.now() - undoMs;
      // A request of a page that was left may have arrived, so it cannot be taken back.
      const status = isFirst && one.status === 'sending' ? 'queued' : one.status;
      store.setState(({ held }) => ({ held: new Map(held).set(key, { ...one, status, at, until }) }));
      if (!isKnown) hold(key, isFirst ? (status === 'held' ? undoMs : 0) : longestMs);
    }
  }

  conversations.subscribe(() => {
    // Deleted meanwhile, by another tab or client: nothing is left to take back.
    const { deleted } = conversations.getSnapshot();
    for (const { key, wish, status } of store.getState().held.values())
      if (wish?.is === 'delete' && status !== 'done' && deleted.has(wish.conversationId)) drop(key);
  });
  addEventListener('storage', ({ key }) => key === place && look(false));
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden')
      // A phone may end the page at any time from now on. A deletion waits for its user to come back.
      for (const key of own) if (get(key)?.wish?.is !== 'delete') void finish(key);
  });
  addEventListener('pagehide', () => {
    if (isOffline()) return;
    for (const key of own) {
      const one = get(key);
      if (one?.wish && isUnsent(one) && one.status !== 'sending') {
        put({ ...one, status: 'sending' });
        void sendWish(one.wish).catch(() => undefined);
      }
    }
  });
  addEventListener('pageshow', ({ persisted }) => {
    // Nothing waits for the answers to what was sent when the page was left.
    for (const key of persisted ? own : []) {
      const one = get(key);
      if (one?.status !== 'sending') continue;
      put({ ...one, status: 'queued' });
      void finish(key);
    }
  });
  addEventListener('online', () => reconnected());
  look(true);

  function reconnected(): void {
    pauses.reset();
    for (const { key, status } of store.getState().held.values()) if (status === 'queued') void finish(key);
  }

  return {
    begin(wish, words, atOnce = false) {
      const key = keyOf(wish);
      const before = get(key);
      if (before && before.status !== 'refused') return;
      own.add(key);
      const at = performance.now();
      put({ key, wish, ...words, status: 'held', at, until: at + (atOnce ? 0 : undoMs) });
      if (atOnce) void finish(key);
      else hold(key, undoMs);
    },
    async atOnce(key, words, work) {
      if (get(key)) return false;
      put({ key, words, status: 'sending', at: performance.now() });
      try {
        const isDone = (await work()) !== false;
        const one = get(key);
        if (isDone && one) settle(one);
        else drop(key);
        return isDone;
      } catch (error) {
        drop(key);
        throw error;
      }
    },
    undo: drop,
    isOffline,
    finish,
    pause(key) {
      const one = get(key);
      if (one?.status !== 'held' || one.until === undefined) return;
      put({ ...one, until: undefined });
      hold(key, one.at + longestMs - performance.now());
    },
    resume(key) {
      const one = get(key);
      if (one?.status !== 'held' || one.until !== undefined) return;
      put({ ...one, until: performance.now() + undoMs });
      hold(key, undoMs);
    },
    reconnected,
  };
}

/** Whether a decision was refused because it is stored already: the answer to an earlier request was lost. */
function isOwnDecision(error: unknown, wish: Wish, user: string): boolean {
  if (wish.is !== 'decide' || !(error instanceof RequestFailed) || error.status !== 409) return false;
  const { approved, by, answer } = (error.problem?.outcome ?? {}) as {
    approved?: boolean;
    by?: string;
    answer?: string;
  };
  if (wish.answer.approved === undefined) return answer !== undefined && answer === wish.answer.answer;
  return by === user && approved === wish.answer.approved;
}

export function heldFrom(kept: string | null): Held[] {
  try {
    return JSON.parse(kept ?? '[]') as Held[];
  } catch {
    return [];
  }
}

interface Given {
  list: List;
  timers: readonly OwnTimer[];
  approvals: readonly WaitingApproval[];
}

/** Returns what the user still has, as far as they know: without what they have just deleted. */
export function withoutDeleted(given: Given, held: AllHeld): Given {
  const deleted = [...held.values()].flatMap(({ wish, status }) =>
    wish?.is === 'delete' && status !== 'refused' ? [wish.conversationId] : [],
  );
  if (deleted.length === 0) return given;
  // A conversation goes with all of its versions.
  const rootIn = (id: string) => rootOf(given.list.get(id) ?? { id });
  const roots = new Set(deleted.map(rootIn));
  const stays = (id: string) => !roots.has(rootIn(id));
  return {
    list: new Map([...given.list].filter(([id]) => stays(id))),
    timers: given.timers.filter(({ conversationId }) => stays(conversationId)),
    approvals: given.approvals.filter(({ conversationId }) => stays(conversationId)),
  };
}
