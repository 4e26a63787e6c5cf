import type { Client, OwnTimer, WaitingApproval } from 'vigil-client';
import { type List, rootOf } from 'vigil-client/shared';
import { t } from '../languages/catalogue';
import { wordsOf } from '../words/problem-words';
import { notify, type VigilStore } from './vigil-state';

/** Conversations that the user has deleted a moment ago, by id, with their titles. The system knows nothing of it yet. */
export type Removals = ReadonlyMap<string, string>;

/**
 * Deletes conversations after a while in which the user can take it back. Until then nothing has happened to them: reminders sleep and
 * approvals wait as before. They are only hidden in this browser.
 *
 * The browser's storage has the deletions that are not made yet, so all tabs hide the same. A deletion is made when the notice about it
 * closes, after a minute at most, and when a page is left. If the browser dies before that, the next page shows the notice again.
 */
export interface Removing {
  begin(id: string): void;
  undo(id: string): void;
  finish(id: string): Promise<void>;
}

/** A notice stays while the pointer or the focus is on it, and while the window is in the background. */
const longestMs = 60_000;

export function removals(
  store: VigilStore,
  { api, conversations }: Pick<Client, 'api' | 'conversations'>,
  user: string,
): Removing {
  const place = `vigil.removing.${user}`;
  const stored = (): Removals => removalsFrom(localStorage.getItem(place));
  function look(): void {
    const removing = stored();
    for (const id of removing.keys())
      if (!store.getState().removing.has(id)) setTimeout(() => void finish(id), longestMs);
    store.setState({ removing });
  }
  function keep(removing: Removals): void {
    if (removing.size > 0) localStorage.setItem(place, JSON.stringify([...removing]));
    else localStorage.removeItem(place);
    look();
  }
  const forget = (id: string) => keep(new Map([...stored()].filter(([one]) => one !== id)));

  async function finish(id: string): Promise<void> {
    // The user has taken it back, perhaps in another tab.
    if (!stored().has(id)) return look();
    try {
      await conversations.remove(id);
    } catch (error) {
      notify(store, t('Not deleted: {problem}', { problem: wordsOf(error) }), id);
    }
    forget(id);
  }

  conversations.subscribe(() => {
    // Deleted meanwhile, by another tab or client: nothing is left to take back.
    const { deleted } = conversations.getSnapshot();
    for (const id of store.getState().removing.keys()) if (deleted.has(id)) forget(id);
  });
  addEventListener('storage', ({ key }) => key === place && look());
  addEventListener('pagehide', () => {
    for (const id of stored().keys()) void api.remove(id).catch(() => undefined);
  });
  look();
  return {
    begin: (id) => keep(new Map(stored()).set(id, conversations.getSnapshot().byId.get(id)?.title ?? '')),
    undo: forget,
    finish,
  };
}

function removalsFrom(kept: string | null): Removals {
  try {
    return new Map(JSON.parse(kept ?? '[]') as [string, string][]);
  } catch {
    return new Map();
  }
}

interface Given {
  list: List;
  timers: readonly OwnTimer[];
  approvals: readonly WaitingApproval[];
}

/** Returns what the user still has, as far as they know. */
export function withoutRemoved(given: Given, removing: Removals): Given {
  if (removing.size === 0) return given;
  // A conversation goes with all of its versions.
  const rootIn = (id: string) => rootOf(given.list.get(id) ?? { id });
  const roots = new Set([...removing.keys()].map(rootIn));
  const stays = (id: string) => !roots.has(rootIn(id));
  return {
    list: new Map([...given.list].filter(([id]) => stays(id))),
    timers: given.timers.filter(({ conversationId }) => stays(conversationId)),
    approvals: given.approvals.filter(({ conversationId }) => stays(conversationId)),
  };
}
