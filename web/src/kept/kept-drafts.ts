import type { Drafts } from '../hooks/drafts';
import type { VigilStore } from '../state/vigil-state';

/** Characters of all drafts that are kept, as JSON. A browser gives a site some millions. */
const mostCharacters = 400_000;
const writeMs = 300;

/**
 * Keeps drafts in the browser, per user, so that they survive a reload. A draft is removed when it is sent, when its conversation is
 * deleted, and on sign-out. The latest ones are kept if they are too large.
 */
export function keepDrafts(store: VigilStore, user: string): void {
  const place = placeOf(user);
  store.setState({ drafts: draftsFrom(localStorage.getItem(place)) });
  /** The places changed since the last write. Those that another tab writes stay as they are. */
  const changed = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  function write(): void {
    clearTimeout(timer);
    if (changed.size === 0) return;
    const kept = withChanges(draftsFrom(localStorage.getItem(place)), store.getState().drafts, changed);
    changed.clear();
    try {
      if (kept.size > 0) localStorage.setItem(place, JSON.stringify([...kept]));
      else localStorage.removeItem(place);
    } catch {
      // The storage is full, so the drafts last only as long as the page.
    }
  }
  store.subscribe(({ drafts }, { drafts: before }) => {
    if (drafts === before) return;
    for (const at of new Set([...drafts.keys(), ...before.keys()]))
      if (drafts.get(at) !== before.get(at)) changed.add(at);
    clearTimeout(timer);
    timer = setTimeout(write, writeMs);
  });
  addEventListener('pagehide', write);
}

const placeOf = (user: string): string => `vigil.drafts.${user}`;

/** To be called on sign-out, before the page is left. */
export function forgetDrafts(store: VigilStore, user: string): void {
  store.setState({ drafts: new Map() });
  localStorage.removeItem(placeOf(user));
}

/** Applies the changed drafts to the kept ones. The latest come last, and the oldest are dropped if all are too large. */
export function withChanges(kept: Drafts, drafts: Drafts, changed: Iterable<string>): Drafts {
  const all = new Map(kept);
  for (const at of changed) {
    all.delete(at);
    const draft = drafts.get(at);
    if (draft !== undefined) all.set(at, draft);
  }
  const latest: [string, unknown][] = [];
  let characters = 0;
  for (const entry of [...all].reverse()) {
    characters += JSON.stringify(entry).length;
    if (characters > mostCharacters) break;
    latest.unshift(entry);
  }
  return new Map(latest);
}

export function draftsFrom(kept: string | null): Drafts {
  try {
    return new Map(JSON.parse(kept ?? '[]') as [string, unknown][]);
  } catch {
    return new Map();
  }
}

/** Returns the drafts without those of a conversation: its field, its questions and its edited messages. */
export const withoutDraftsOf = (drafts: Drafts, id: string): Drafts =>
  [...drafts.keys()].some((place) => isOf(place, id))
    ? new Map([...drafts].filter(([place]) => !isOf(place, id)))
    : drafts;

const isOf = (place: string, id: string): boolean => place === id || place.startsWith(`${id} `);
