import type { VigilStore } from '../state/vigil-state';
import type { Unsent, UnsentMessages } from './unsent';

/**
 * Keeps unsent messages in the tab's storage, per user. They survive a reload, a change of user and the redirect to the
 * sign-in page, and are sent when the page is back. Closing the tab discards them.
 */
export function keepUnsent(store: VigilStore, user: string): void {
  const place = `vigil.unsent.${user}`;
  store.setState({ unsent: unsentFrom(sessionStorage.getItem(place)) });
  store.subscribe(({ unsent }, before) => {
    if (unsent === before.unsent) return;
    try {
      if (unsent.length > 0) sessionStorage.setItem(place, JSON.stringify(unsent));
      else sessionStorage.removeItem(place);
    } catch {
      // The storage is full, so the messages last only as long as the page.
    }
  });
}

/**
 * Restores the unsent messages. One whose request was in progress is sent again under the same id, so it is stored once.
 */
export function unsentFrom(kept: string | null): UnsentMessages {
  try {
    const all = JSON.parse(kept ?? '[]') as Unsent[];
    return all.map((one) => (one.status === 'sending' ? { ...one, status: 'queued' } : one));
  } catch {
    return [];
  }
}
