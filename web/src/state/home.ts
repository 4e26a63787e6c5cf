import type { ConversationSummary } from '../../../core/state/schemas';
import type { Api } from '../network/api';
import { pagesOf } from '../network/pages';
import { wordsOf } from '../network/problem';
import { withoutClosed } from './list';
import { listed } from './merge';
import { type OwnTimer, withRead } from './timers';
import type { VigilStore } from './vigil-state';

/** What the home shows besides the list and the approvals. It is read when it is opened and after a connect, and pushed otherwise. */
export interface Home {
  /** Reads what may have been missed: the timers, and the rest while the home is on the screen. */
  catchUp(): void;
  shown(isShown: boolean): void;
  /** To be called with conversations that have changed: what the user has spent is not pushed. */
  changed(conversations: readonly ConversationSummary[]): void;
}

/** The index lags by moments. */
const secondLookMs = 5_000;
/** The shortest time between two reads of what the user has spent. */
const spendingMs = 5_000;

export function readsHome(store: VigilStore, api: Api): Home {
  let isShown = false;
  let secondLook: ReturnType<typeof setTimeout> | undefined;
  let spending: ReturnType<typeof setTimeout> | undefined;

  async function readTimers(): Promise<void> {
    const { timers: asked } = store.getState();
    const read: OwnTimer[] = [];
    for await (const page of pagesOf(api.timers)) {
      read.push(...page.timers);
      listed(store, page.conversations);
    }
    store.setState(({ timers, offset }) => ({ timers: withRead(timers, { read, asked, now: Date.now() + offset }) }));
  }

  async function readOpen(): Promise<void> {
    const { list: asked } = store.getState();
    const states = ['active', 'failed'] as const;
    const open = (await Promise.all(states.map(readState))).flat();
    listed(store, open);
    store.setState(({ list, offset }) => ({ list: withoutClosed(list, { open, asked, now: Date.now() + offset }) }));
  }

  async function readState(state: 'active' | 'failed'): Promise<ConversationSummary[]> {
    const read: ConversationSummary[] = [];
    for await (const page of pagesOf((cursor) => api.listOpen(state, cursor))) read.push(...page.conversations);
    return read;
  }

  const readSpending = async () => store.setState({ usage: (await api.usage()).usage });

  async function attempt(...works: (() => Promise<void>)[]): Promise<void> {
    try {
      await Promise.all(works.map((work) => work()));
      store.setState({ homeReading: { is: 'ready' } });
    } catch (error) {
      // What is on the screen stays there, and the next read updates it.
      store.setState(({ homeReading }) =>
        homeReading.is === 'ready' ? {} : { homeReading: { is: 'failed', problem: wordsOf(error) } },
      );
    }
  }

  const read = () => (isShown ? attempt(readTimers, readOpen, readSpending) : void readTimers().catch(() => undefined));
  return {
    catchUp() {
      clearTimeout(secondLook);
      secondLook = setTimeout(() => void read(), secondLookMs);
      void read();
    },
    shown(now) {
      isShown = now;
      if (isShown) void read();
    },
    changed(conversations) {
      // While a run is `running`, its step is not paid yet.
      if (!isShown || spending || conversations.every(({ status }) => status === 'running')) return;
      spending = setTimeout(() => {
        spending = undefined;
        if (isShown) readSpending().catch(() => undefined);
      }, spendingMs);
    },
  };
}
