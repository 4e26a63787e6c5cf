import type { Outbox, Unsent } from './outbox';
import type { VigilStore } from './vigil-state';

/**
 * Keeps unsent messages in the tab's storage, per user. They survive a reload, a change of user and the redirect to the
 * sign-in page, and are sent when the page is back. Closing the tab discards them.
 */
export function keepOutbox(store: VigilStore, user: string): void {
  const place = `vigil.outbox.${user}`;
  store.setState({ outbox: outboxFrom(sessionStorage.getItem(place)) });
  store.subscribe(({ outbox }, before) => {
    if (outbox === before.outbox) return;
    try {
      if (outbox.length > 0) sessionStorage.setItem(place, JSON.stringify(outbox));
      else sessionStorage.removeItem(place);
    } catch {
      // The storage is full, so the messages last only as long as the page.
    }
  });
}

/**
 * Restores the outbox. A message whose request was in progress is sent again under the same id, so it is stored once.
 */
export function outboxFrom(kept: string | null): Outbox {
  try {
    const all = JSON.parse(kept ?? '[]') as Unsent[];
    return all.map((one) => (one.status === 'sending' ? { ...one, status: 'queued' } : one));
  } catch {
    return [];
  }
}
