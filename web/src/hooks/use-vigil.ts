import { createContext, use, useSyncExternalStore } from 'react';
import type { Conversation } from 'vigil-client';
import { useClient, useFeed, useConversation as useFollowed } from 'vigil-client/react';
import { useStore } from 'zustand';
import { isBegun } from '../kept/unsent';
import { shiftIn } from '../state/now';
import type { Vigil } from '../state/vigil';
import type { VigilState } from '../state/vigil-state';
import { usePast } from './past';
import { tickerOf } from './ticker';

export const VigilContext = createContext<Vigil | undefined>(undefined);

export function useVigil(): Vigil {
  const vigil = use(VigilContext);
  if (!vigil) throw new Error('useVigil needs a VigilContext around the component.');
  return vigil;
}

export const useVigilState = <Part>(select: (state: VigilState) => Part): Part => useStore(useVigil().store, select);

/** A conversation as it is known, its rows in order; undefined before its first row. */
export type Shown = Omit<Conversation, 'more'>;

/** Follows a conversation. One that is not stored yet cannot be followed. */
export const useConversation = (id: string | undefined) =>
  useFollowed(useVigilState(({ unsent }) => id !== undefined && isBegun(unsent, id)) ? undefined : id);

/** Returns a conversation as the list has it. */
export const useSummary = (id: string | undefined) =>
  useFeed(useClient().conversations, ({ byId }) => (id ? byId.get(id) : undefined));

/** Returns the server's time, on a laptop the moved clock's, updated at this interval; in a replay, the time that is shown. */
export function useNow(everyMs = 10_000): number {
  const past = usePast();
  const shift = useVigilState(shiftIn);
  const { subscribe, now } = tickerOf(everyMs);
  const current = useSyncExternalStore(subscribe, now) + shift;
  return past ?? current;
}

/** Returns the milliseconds until a time, updated each second only when it is near. */
export function useLeft(at: string): number {
  const isNear = Date.parse(at) - useNow() < 90_000;
  return Date.parse(at) - useNow(isNear ? 1_000 : 10_000);
}
