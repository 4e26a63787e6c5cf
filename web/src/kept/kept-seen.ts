import type { Client } from 'vigil-client';
import type { VigilStore } from '../state/vigil-state';
import { type Seen, seenAtFirst, withSeen } from './unread';

/**
 * Keeps what the user has seen in the browser, for all its tabs: a conversation is seen while it is open in a tab that is visible.
 */
export function keepSeen(store: VigilStore, conversations: Client['conversations'], user: string): void {
  const place = `vigil.seen ${user}`;
  const stored = (): Seen | undefined => {
    try {
      return JSON.parse(localStorage.getItem(place) ?? '') as Seen;
    } catch {
      return undefined;
    }
  };

  function look(): void {
    const { open, seen } = store.getState();
    const { byId: list, status } = conversations.getSnapshot();
    const known = seen ?? stored() ?? (status === 'ready' ? seenAtFirst(list) : undefined);
    if (!known) return;
    const shown = open && document.visibilityState === 'visible' ? list.get(open) : undefined;
    const next = shown ? withSeen(known, shown) : known;
    if (next === seen) return;
    store.setState({ seen: next });
    localStorage.setItem(place, JSON.stringify(next));
  }

  store.subscribe(({ open }, before) => {
    if (open !== before.open) look();
  });
  conversations.subscribe(look);
  document.addEventListener('visibilitychange', look);
  addEventListener('storage', ({ key }) => {
    if (key === place) store.setState({ seen: stored() });
  });
  look();
}
