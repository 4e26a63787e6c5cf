import type { Connection } from 'vigil-client';
import type { AgentCard, Branch } from 'vigil-client/shared';
import { createStore } from 'zustand/vanilla';
import type { Drafts } from '../hooks/drafts';
import type { Standstill } from '../hooks/use-standstill';
import type { Snoozed } from '../kept/snoozed';
import type { Seen } from '../kept/unread';
import type { UnsentMessages } from '../kept/unsent';
import type { StandIns } from '../network/local-cloud';
import type { AllHeld } from './held';

/** The progress of something read from the API. */
export type Reading = { is: 'loading' } | { is: 'ready' } | { is: 'failed'; problem: string };

interface Notice {
  id: number;
  text: string;
  /** The conversation that it is about. */
  conversationId?: string;
}

/** The page's own state. What the API has is in the client's feeds. */
export interface VigilState {
  connection: Connection;
  agents: AgentCard[];
  /** The features that the deployment has; undefined until they are known. */
  modules?: readonly string[];
  agentsReading: Reading;
  /** The open conversation's id; undefined for a new one. */
  open?: string;
  /** The versions of conversations, by the root of each family; empty if there is only one. */
  branches: ReadonlyMap<string, readonly Branch[]>;
  /** The version to which the user has turned, the place of the arrow, and which one. Without a place, they have made the version. */
  turned?: { to: string; seq?: number; step?: 1 | -1 };
  /** The open conversation's run should be at work, and gives no sign. */
  standstill?: Standstill & { id: string };
  unsent: UnsentMessages;
  drafts: Drafts;
  /** What the user has pressed and may still take back, and what was sent a moment ago. */
  held: AllHeld;
  /** How many receipts of each are on the screen. */
  receipts: ReadonlyMap<string, number>;
  /** The conversation whose person is giving it back or away, so that they may read it no more in a moment. */
  leaving?: string;
  /** The conversations that the user takes over as soon as their agents have stopped. */
  joining: ReadonlySet<string>;
  snoozed: Snoozed;
  notices: readonly Notice[];
  /** The changes of their conversations that the user has seen; undefined until they are known. */
  seen?: Seen;
  /** On a laptop: the model and the search in use. */
  standIns: StandIns;
  /** The lead of the server's clock over the browser's, in milliseconds. */
  aheadMs: number;
  /** On a laptop: how far the moved clock is ahead of the server's, in milliseconds. */
  offset: number;
  /** On a laptop: the end of the move of the clock that is under way. */
  movingTo?: string;
}

export const vigilState = () =>
  createStore<VigilState>(() => ({
    connection: 'connecting',
    agents: [],
    agentsReading: { is: 'loading' },
    branches: new Map(),
    unsent: [],
    drafts: new Map(),
    held: new Map(),
    receipts: new Map(),
    joining: new Set(),
    snoozed: new Map(),
    notices: [],
    standIns: {},
    aheadMs: 0,
    offset: 0,
  }));
export type VigilStore = ReturnType<typeof vigilState>;

let notices = 0;

/** Shows a notice that belongs to no place on the screen. It leads to its conversation, if it has one. */
export function notify(store: VigilStore, text: string, conversationId?: string): void {
  notices += 1;
  const notice = { id: notices, text, conversationId };
  store.setState((state) => ({ notices: [...state.notices.slice(-2), notice] }));
}
