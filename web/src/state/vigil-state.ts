import { createStore } from 'zustand/vanilla';
import { type LiveState, nothingKnown } from '../../../core/live/live-merge';
import type { AgentCard } from '../../../core/state/schemas';
import type { Drafts } from './drafts';
import type { List } from './list';
import type { Outbox } from './outbox';

/** How far a thing that is read from the API has come. */
export type Reading = { is: 'loading' } | { is: 'ready' } | { is: 'failed'; problem: string };

/** One conversation, as far as it is known here. */
export interface Known {
  live: LiveState;
  /** `gone`: deleted, or never ours. */
  reading: Reading | { is: 'gone' };
}

export interface Notice {
  id: number;
  text: string;
}

/** All that the page knows. */
export interface VigilState {
  connection: 'connecting' | 'live' | 'lost';
  agents: AgentCard[];
  agentsReading: Reading;
  list: List;
  listReading: Reading;
  /** Leads to older conversations, if there are any. */
  cursor?: string;
  /** The open conversation's id; none while a new one is begun. */
  open?: string;
  known: ReadonlyMap<string, Known>;
  outbox: Outbox;
  drafts: Drafts;
  notices: readonly Notice[];
  /** Milliseconds by which the moved clock is ahead. */
  offset: number;
}

export const unknown: Known = { live: nothingKnown, reading: { is: 'loading' } };

export const vigilState = () =>
  createStore<VigilState>(() => ({
    connection: 'connecting',
    agents: [],
    agentsReading: { is: 'loading' },
    list: new Map(),
    listReading: { is: 'loading' },
    known: new Map(),
    outbox: [],
    drafts: new Map(),
    notices: [],
    offset: 0,
  }));
export type VigilStore = ReturnType<typeof vigilState>;

let notices = 0;

/** Tells the person something that has no place of its own on the page. */
export function notify(store: VigilStore, text: string): void {
  notices += 1;
  const notice = { id: notices, text };
  store.setState((state) => ({ notices: [...state.notices.slice(-2), notice] }));
}
