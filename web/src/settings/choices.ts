import { useSyncExternalStore } from 'react';

/** What a reader may choose about the page's look, kept in this browser. The first of each is the default. */
const choices = {
  theme: ['system', 'light', 'dark'],
  density: ['comfortable', 'compact'],
  dates: ['region', 'iso'],
} as const;

export type ChoiceName = keyof typeof choices;
export type Chosen<Name extends ChoiceName> = (typeof choices)[Name][number];

const placeOf = (name: string): string => `vigil.${name}`;

/** `public/look.js` hears it as well; other windows get the event `storage`. */
const chosenEvent = 'vigil.chosen';

/** Returns what the reader has chosen. */
export function chosen<Name extends ChoiceName>(name: Name): Chosen<Name> {
  // Outside of a browser, nobody has chosen.
  const kept = typeof window === 'undefined' ? null : localStorage.getItem(placeOf(name));
  const all: readonly Chosen<Name>[] = choices[name];
  return all.find((one) => one === kept) ?? all[0]!;
}

export function choose<Name extends ChoiceName>(name: Name, to: Chosen<Name>): void {
  keep(name, to === choices[name][0] ? undefined : to);
  dispatchEvent(new Event(chosenEvent));
}

/** Keeps a choice in the browser, or the default by keeping nothing. */
export function keep(name: string, to: string | undefined): void {
  if (to === undefined) localStorage.removeItem(placeOf(name));
  else localStorage.setItem(placeOf(name), to);
}

function subscribe(changed: () => void): () => void {
  for (const event of ['storage', chosenEvent]) addEventListener(event, changed);
  return () => {
    for (const event of ['storage', chosenEvent]) removeEventListener(event, changed);
  };
}

/** Returns what the reader has chosen, and follows it, also when another window changes it. */
export const useChosen = <Name extends ChoiceName>(name: Name): Chosen<Name> =>
  useSyncExternalStore(subscribe, () => chosen(name));

/** Words and dates are read when the page begins, so their choice begins it again. Drafts stay. */
const beginning: ReadonlySet<string | null> = new Set(['vigil.language', 'vigil.dates']);

/** Begins the page again where another window has changed its language or its dates: as soon as nobody looks, or when they come back. */
export function followOtherWindows(): void {
  addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (!beginning.has(key) || oldValue === newValue) return;
    if (document.hidden) location.reload();
    else addEventListener('focus', () => location.reload(), { once: true });
  });
}
