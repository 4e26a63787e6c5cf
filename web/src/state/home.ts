import { type Api, type ConversationSummary, pagesOf } from 'vigil-client';
import {
  type ConversationPage,
  type HomePage,
  secondLook,
  type TimerPage,
  untilFresh,
  wordsOf,
} from 'vigil-client/shared';
import { withoutClosed } from '../rows/list';
import { type OwnTimer, withRead } from '../rows/timers';
import type { Approvals } from './approvals';
import { listed } from './merge';
import { nowIn } from './now';
import type { ReadsList } from './read-list';
import type { VigilStore } from './vigil-state';

/** Reads what the page shows besides conversations: at the start, after a connect, and when the home is opened. Otherwise it is pushed. */
export interface Home {
  read(): void;
  /** Reads it after a connect, and once more after some seconds: the indexes lag. */
  catchUp(): void;
  shown(isShown: boolean): void;
  /** To be called with conversations that have changed: what the user has spent is not pushed. */
  changed(conversations: readonly ConversationSummary[]): void;
}

/** The acknowledgements of a connect come together. */
const togetherMs = 50;
/** The shortest time between two reads of what the user has spent. */
const spendingMs = 5_000;

export function readsHome(
  store: VigilStore,
  api: Api,
  { list, approvals }: { list: ReadsList; approvals: Approvals },
): Home {
  let isShown = false;
  let reading: Promise<void> | undefined;
  let soon: ReturnType<typeof setTimeout> | undefined;
  let spending: ReturnType<typeof setTimeout> | undefined;

  async function readTimers(first: Promise<TimerPage>): Promise<void> {
    const { timers: asked } = store.getState();
    const read: OwnTimer[] = [];
    for await (const page of pagesOf(api.timers, first)) {
      read.push(...page.timers);
      listed(store, page.conversations);
    }
    store.setState((state) => ({ timers: withRead(state.timers, { read, asked, now: nowIn(state) }) }));
  }

  async function readOpen(first: Promise<HomePage>): Promise<void> {
    const { list: asked } = store.getState();
    const states = ['active', 'failed'] as const;
    const open = (
      await Promise.all(
        states.map((state) =>
          readState(
            state,
            first.then((home) => home[state]),
          ),
        ),
      )
    ).flat();
    listed(store, open);
    store.setState((state) => ({ list: withoutClosed(state.list, { open, asked, now: nowIn(state) }) }));
  }

  async function readState(
    state: 'active' | 'failed',
    first: Promise<ConversationPage>,
  ): Promise<ConversationSummary[]> {
    const read: ConversationSummary[] = [];
    for await (const page of pagesOf((cursor) => api.listOpen(state, cursor), first)) read.push(...page.conversations);
    return read;
  }

  const readSpending = async (from: Promise<Pick<HomePage, 'usage'>>) => store.setState({ usage: (await from).usage });

  async function attempt(work: Promise<unknown>): Promise<void> {
    try {
      await work;
      store.setState({ homeReading: { is: 'ready' } });
    } catch (error) {
      // What is on the screen stays there, and the next read updates it.
      store.setState(({ homeReading }) =>
        homeReading.is === 'ready' ? {} : { homeReading: { is: 'failed', problem: wordsOf(error) } },
      );
    }
  }

  async function readOnce(): Promise<void> {
    const home = api.home();
    await Promise.all([
      list.catchUp(home.then(({ conversations }) => conversations)),
      approvals.read(home.then(({ approvals }) => approvals)),
      attempt(Promise.all([readTimers(home.then(({ timers }) => timers)), readOpen(home), readSpending(home)])),
    ]);
  }

  // What happens during a read causes one more.
  const readUntilFresh = untilFresh(readOnce);
  function read(): void {
    reading = readUntilFresh().finally(() => {
      reading = undefined;
    });
  }
  const again = secondLook(read);

  return {
    read,
    catchUp() {
      clearTimeout(soon);
      soon = setTimeout(read, togetherMs);
      again.order();
    },
    shown(now) {
      isShown = now;
      // At the start, it is being read.
      if (isShown && !reading) read();
    },
    changed(conversations) {
      // While a run is `running`, its step is not paid yet.
      if (!isShown || spending || conversations.every(({ status }) => status === 'running')) return;
      spending = setTimeout(() => {
        spending = undefined;
        if (isShown) readSpending(api.usage()).catch(() => undefined);
      }, spendingMs);
    },
  };
}
