import { type Api, RequestFailed } from 'vigil-client';
import { wordsOf } from 'vigil-client/shared';
import { rootOf } from '../rows/branches';
import { removed } from './merge';
import { notify, type VigilState, type VigilStore } from './vigil-state';

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

export function removals(store: VigilStore, api: Api, user: string): Removing {
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
      await api.remove(id);
      const { list } = store.getState();
      const versions = [...list.values()].filter((one) => rootOf(one) === rootOf(list.get(id) ?? { id }));
      for (const one of [id, ...versions.map((one) => one.id)]) removed(store, one);
    } catch (error) {
      // It is deleted already: by another tab, or by a page as it was left.
      if (error instanceof RequestFailed && error.status === 404) removed(store, id);
      else notify(store, `Not deleted: ${wordsOf(error)}`, id);
    }
    forget(id);
  }

  store.subscribe(({ known, removing }) => {
    // Deleted meanwhile, by another tab or client: nothing is left to take back.
    for (const id of removing.keys()) if (known.get(id)?.status === 'gone') forget(id);
  });
  addEventListener('storage', ({ key }) => key === place && look());
  addEventListener('pagehide', () => {
    for (const id of stored().keys()) void api.remove(id).catch(() => undefined);
  });
  look();
  return {
    begin: (id) => keep(new Map(stored()).set(id, store.getState().list.get(id)?.title ?? '')),
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

/** Returns what the user still has, as far as they know. */
export function withoutRemoved<Given extends Pick<VigilState, 'list' | 'timers' | 'approvals'>>(
  given: Given,
  removing: Removals,
): Given {
  if (removing.size === 0) return given;
  // A conversation goes with all of its versions.
  const rootIn = (id: string) => rootOf(given.list.get(id) ?? { id });
  const roots = new Set([...removing.keys()].map(rootIn));
  const stays = (id: string) => !roots.has(rootIn(id));
  return {
    ...given,
    list: new Map([...given.list].filter(([id]) => stays(id))),
    timers: new Map([...given.timers].filter(([, { conversationId }]) => stays(conversationId))),
    approvals: given.approvals.filter(({ conversationId }) => stays(conversationId)),
  };
}
