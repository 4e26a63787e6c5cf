import type { ChangedRow, LiveRow } from '../../../core/live';
import { mergeRows } from '../../../core/live-merge';
import type { ConversationSummary } from '../../../core/schemas';
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
    const live = mergeRows(held.live, came);
    return {
      known: withKnown(state, id, { live, reading: read ? { is: 'ready' } : held.reading }),
      outbox: settle(state.outbox, messages),
      list: mergeList(state.list, heads),
    };
  });
}

export const listed = (store: VigilStore, came: readonly ConversationSummary[]): void =>
  store.setState(({ list }) => ({ list: mergeList(list, came) }));

export const withKnown = (state: VigilState, id: string, known: Known): ReadonlyMap<string, Known> =>
  new Map(state.known).set(id, known);

/** It was deleted, here or elsewhere. */
export function removed(store: VigilStore, id: string): void {
  store.setState((state) => {
    const list = new Map(state.list);
    list.delete(id);
    const held = state.known.get(id);
    return {
      list,
      known: held ? withKnown(state, id, { ...held, reading: { is: 'gone' } }) : state.known,
      outbox: state.outbox.filter(({ conversationId }) => conversationId !== id),
    };
  });
}
