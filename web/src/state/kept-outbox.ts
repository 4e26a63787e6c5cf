import type { Outbox, Unsent } from './outbox';
import type { VigilStore } from './vigil-state';

/**
 * What is not sent outlives a reload, a look at another user, and the way to the sign-in page and back: it lies in the tab's
 * storage, under its user, and goes out when the page is there again. A tab that is closed takes it with it.
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
      // There is no room: it lives as long as the page.
    }
  });
}

/** What was on its way may be stored or not: it is sent again with its id, and is stored once. */
export function outboxFrom(kept: string | null): Outbox {
  try {
    const all = JSON.parse(kept ?? '[]') as Unsent[];
    return all.map((one) => (one.status === 'sending' ? { ...one, status: 'queued' } : one));
  } catch {
    return [];
  }
}
