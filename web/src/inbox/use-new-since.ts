import { useEffect, useRef, useState } from 'react';
import type { WaitingApproval } from 'vigil-client';

const placeOf = (user: string): string => `vigil.looked.${user}`;

/** Returns the time of the newest of some; '' of none. */
export const newestOf = (items: readonly WaitingApproval[]): string =>
  items.reduce((last, { callback: { createdAt = '' } }) => (createdAt > last ? createdAt : last), '');

/**
 * Tells what has come since the user has last looked at the list, in this browser. What comes while they look is new until they look
 * away: to another part of the page, or to another window. At the first time, nothing is new.
 */
export function useNewSince(items: readonly WaitingApproval[], user: string): (one: WaitingApproval) => boolean {
  const [since, setSince] = useState(() => localStorage.getItem(placeOf(user)));
  const newest = useRef('');
  newest.current = newestOf(items);
  useEffect(() => {
    const looksAway = () => {
      const before = localStorage.getItem(placeOf(user)) ?? '';
      if (newest.current > before) localStorage.setItem(placeOf(user), newest.current);
    };
    const onChange = () => {
      if (document.visibilityState === 'hidden') looksAway();
      else setSince(localStorage.getItem(placeOf(user)));
    };
    document.addEventListener('visibilitychange', onChange);
    addEventListener('pagehide', looksAway);
    return () => {
      looksAway();
      document.removeEventListener('visibilitychange', onChange);
      removeEventListener('pagehide', looksAway);
    };
  }, [user]);
  return ({ callback: { createdAt = '' } }) => since !== null && createdAt > since;
}
