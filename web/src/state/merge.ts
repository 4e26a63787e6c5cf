import type { Conversation, ConversationSummary } from 'vigil-client';
import { mergeList, mergeRows, nothingKnown, type PushedRow, rowsOf } from 'vigil-client/shared';
import { withoutDraftsOf } from '../kept/kept-drafts';
import { withoutStored } from '../kept/unsent';
import { rootOf, withoutBranch } from '../rows/branches';
import { mergeTimers, type OwnTimer } from '../rows/timers';
import { type Known, unknown, type VigilState, type VigilStore } from './vigil-state';

/**
 * Merges received rows of a conversation into the state: its rows, its entry in the list, and the unsent messages that
 * are now stored.
 */
export function mergeInto(store: VigilStore, id: string, came: readonly PushedRow[], read = false): void {
  const messages = came.flatMap((one) => (one.kind === 'message' && 'row' in one ? [one.row] : []));
  const heads = came.flatMap((one) => (one.kind === 'conversation' && 'row' in one ? [one.row] : []));
  store.setState((state) => {
    const held = state.known.get(id) ?? unknown;
    // The conversation was deleted while this was on its way.
    if (held.reading.is === 'gone') return {};
    const live = mergeRows(held.live, came);
    return {
      known: withKnown(state, id, { live, reading: read ? { is: 'ready' } : held.reading }),
      unsent: withoutStored(state.unsent, messages),
      list: mergeList(state.list, heads),
    };
  });
}

/** Merges the response of a read into the state. `whole`: there are no further messages. */
export function conversationRead(store: VigilStore, read: Conversation, whole: boolean): void {
  store.setState(({ branches }) => ({ branches: new Map(branches).set(rootOf(read), read.branches ?? []) }));
  mergeInto(store, read.id, rowsOf(read), whole);
}

export const listed = (store: VigilStore, came: readonly ConversationSummary[]): void =>
  store.setState(({ list, known }) => ({
    list: mergeList(
      list,
      came.filter(({ id }) => known.get(id)?.reading.is !== 'gone'),
    ),
  }));

export const timersListed = (store: VigilStore, came: readonly OwnTimer[]): void =>
  store.setState(({ timers, known }) => ({
    timers: mergeTimers(
      timers,
      came.filter(({ conversationId }) => known.get(conversationId)?.reading.is !== 'gone'),
    ),
  }));

export const withKnown = (state: VigilState, id: string, known: Known): ReadonlyMap<string, Known> =>
  new Map(state.known).set(id, known);

/** The number of conversations kept in memory. */
const keptConversations = 20;

/**
 * Opens a conversation and drops the least recently opened ones. Deleted conversations are remembered, which takes no
 * space.
 */
export function withOpened(known: VigilState['known'], id: string): VigilState['known'] {
  const held = known.get(id);
  const kept = new Map(known);
  kept.delete(id);
  const heavy = [...kept].flatMap(([one, { reading }]) => (reading.is === 'gone' ? [] : [one]));
  for (const one of heavy.slice(0, Math.max(0, heavy.length + 1 - keptConversations))) kept.delete(one);
  // A missing conversation is requested again, because it may not have existed yet.
  return kept.set(id, held && held.reading.is !== 'gone' ? held : unknown);
}

/** Removes a deleted conversation. Rows that arrive later change nothing. */
export function removed(store: VigilStore, id: string): void {
  store.setState((state) => {
    const list = new Map(state.list);
    list.delete(id);
    return {
      list,
      timers: new Map([...state.timers].filter(([, { conversationId }]) => conversationId !== id)),
      known: withKnown(state, id, { live: nothingKnown, reading: { is: 'gone' } }),
      branches: withoutBranch(state.branches, id),
      unsent: state.unsent.filter(({ conversationId }) => conversationId !== id),
      drafts: withoutDraftsOf(state.drafts, id),
    };
  });
}
