import { createContext } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

/** What the user has unfolded (true) or folded, by place. It lasts until the page is reloaded, also while another conversation is open. */
const chosen = createStore<ReadonlyMap<string, boolean>>(() => new Map());

/** Unfolds or folds the text at a place. */
export const setUnfolded = (place: string, isUnfolded: boolean): void =>
  chosen.setState((all) => new Map(all).set(place, isUnfolded), true);

/** Returns what the user has chosen for the text at a place, or undefined. */
export const useUnfolded = (place: string): boolean | undefined => useStore(chosen, (all) => all.get(place));

/** Returns the place of a message. A message keeps it when its row arrives. */
export const foldPlace = (id: string, { clientMessageId, seq }: { clientMessageId?: string; seq?: number }): string =>
  `${id} ${clientMessageId ?? seq}`;

/** Keeps the reader's position while something changes its height: the list then no longer follows its end, and scrolls by some pixels. */
export const StayHere = createContext((_pixels = 0): void => undefined);

/** Whether long blocks of code are folded. Not in the text of a question, which one must see whole. */
export const FoldsCode = createContext(false);
