import type { VigilStore } from '../state/vigil-state';
import { snoozedFrom } from './snoozed';

/** Keeps in the browser what the user has put off, for all its tabs. */
export function keepSnoozed(store: VigilStore, user: string): void {
  const place = placeOf(user);
  const read = () => store.setState({ snoozed: snoozedFrom(localStorage.getItem(place)) });
  read();
  store.subscribe(({ snoozed }, before) => {
    if (snoozed === before.snoozed) return;
    try {
      localStorage.setItem(place, JSON.stringify([...snoozed]));
    } catch {
      // The storage is full, so it lasts only as long as the page.
    }
  });
  addEventListener('storage', ({ key }) => {
    if (key === place) read();
  });
}

const placeOf = (user: string): string => `vigil.snoozed.${user}`;

/** To be called on sign-out. */
export const forgetSnoozed = (user: string): void => localStorage.removeItem(placeOf(user));
