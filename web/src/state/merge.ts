import type { ChangedRow, LiveRow } from '../../../core/live/live';
import { mergeRows, nothingKnown } from '../../../core/live/live-merge';
import type { ConversationSummary } from '../../../core/state/schemas';
import { mergeList } from './list';
import { settle } from './outbox';
import { type Known, unknown, type VigilState, type VigilStore } from './vigil-state';

/** Puts what came of a conversation into the state: its rows, its line in the list, and what is no longer unsent. */
export function mergeInto(store: VigilStore, id: string, came: readonly (LiveRow | ChangedRow)[], read = false): void {
  const rows = came.filter((one): one is LiveRow => 'row' in one);
  const messages = rows.flatMap((one) => (one.kind === 'message' ? [one.row] : []));
  const heads = rows.flatMap((one) => (one.kind === 'conversation' ? [one.row] : []));
  store.setState((state) => {
    const held = state.known.get(id) ?? unknown;
    // It was deleted while this was on its way.
    if (held.reading.is === 'gone') return {};
    const live = mergeRows(held.live, came);
    return {
      known: withKnown(state, id, { live, reading: read ? { is: 'ready' } : held.reading }),
      outbox: settle(state.outbox, messages),
      list: mergeList(state.list, heads),
    };
  });
}

export const listed = (store: VigilStore, came: readonly ConversationSummary[]): void =>
  store.setState(({ list, known }) => ({
    list: mergeList(
      list,
      came.filter(({ id }) => known.get(id)?.reading.is !== 'gone'),
    ),
  }));

export const withKnown = (state: VigilState, id: string, known: Known): ReadonlyMap<string, Known> =>
  new Map(state.known).set(id, known);

/** As many conversations as one goes back and forth between. */
const keptConversations = 20;

/** One is opened: it is kept, and those that were opened last. That others are gone is remembered, and weighs nothing. */
export function withOpened(known: VigilState['known'], id: string): VigilState['known'] {
  const held = known.get(id);
  const kept = new Map(known);
  kept.delete(id);
  const heavy = [...kept].flatMap(([one, { reading }]) => (reading.is === 'gone' ? [] : [one]));
  for (const one of heavy.slice(0, Math.max(0, heavy.length + 1 - keptConversations))) kept.delete(one);
  // One that is gone is asked for anew: it may not have been there yet.
  return kept.set(id, held && held.reading.is !== 'gone' ? held : unknown);
}

/** It was deleted, here or elsewhere. What comes of it late changes nothing. */
export function removed(store: VigilStore, id: string): void {
  store.setState((state) => {
    const list = new Map(state.list);
    list.delete(id);
    return {
      list,
      known: withKnown(state, id, { live: nothingKnown, reading: { is: 'gone' } }),
      outbox: state.outbox.filter(({ conversationId }) => conversationId !== id),
    };
  });
}
