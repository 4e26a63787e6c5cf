import type { ConversationState, ConversationSummary } from 'vigil-client';
import { type Branch, mergeList } from 'vigil-client/shared';
import { withoutDraftsOf } from '../kept/kept-drafts';
import { isBegun, withoutStored } from '../kept/unsent';
import { rootOf, withoutBranch } from '../rows/branches';
import { mergeTimers, type OwnTimer } from '../rows/timers';
import type { VigilState, VigilStore } from './vigil-state';

/**
 * Takes over what has become of a conversation: its entry in the list, its versions, and the unsent messages that are now stored. One that is
 * not stored yet is not missing, and one that is gone stays so until it is opened.
 *
 * @param isRead whether its versions have just been read: those of its family may be newer.
 */
export function conversationChanged(store: VigilStore, id: string, known: ConversationState, isRead = false): void {
  if (known.status === 'gone') {
    if (!isBegun(store.getState().unsent, id)) removed(store, id);
    return;
  }
  store.setState((state) => {
    const before = state.known.get(id);
    if (before?.status === 'gone') return {};
    if (!known.conversation) return { known: withKnown(state, id, known) };
    const { messages, calls: _, callbacks: __, timers: ___, branches, ...head } = known.conversation;
    const areNew = branches && (isRead || branches !== before?.conversation?.branches);
    return {
      known: withKnown(state, id, known),
      unsent: withoutStored(state.unsent, messages),
      list: mergeList(state.list, [head]),
      ...(areNew && { branches: withBranches(state.branches, rootOf(head), branches) }),
    };
  });
}

const withBranches = (
  all: VigilState['branches'],
  root: string,
  branches: readonly Branch[],
): VigilState['branches'] => (all.get(root) === branches ? all : new Map(all).set(root, branches));

export const listed = (store: VigilStore, came: readonly ConversationSummary[]): void =>
  store.setState(({ list, known }) => ({
    list: mergeList(
      list,
      came.filter(({ id }) => known.get(id)?.status !== 'gone'),
    ),
  }));

export const timersListed = (store: VigilStore, came: readonly OwnTimer[]): void =>
  store.setState(({ timers, known }) => ({
    timers: mergeTimers(
      timers,
      came.filter(({ conversationId }) => known.get(conversationId)?.status !== 'gone'),
    ),
  }));

/** The number of conversations kept in memory. */
const keptConversations = 20;

/** Adds a conversation, and drops those that were added least recently. Deleted ones are remembered, which takes no space. */
function withKnown(state: VigilState, id: string, known: ConversationState): VigilState['known'] {
  if (state.known.get(id) === known) return state.known;
  const kept = new Map(state.known);
  kept.delete(id);
  const heavy = [...kept].flatMap(([one, { status }]) => (status === 'gone' || one === state.open ? [] : [one]));
  for (const one of heavy.slice(0, Math.max(0, heavy.length + 1 - keptConversations))) kept.delete(one);
  return kept.set(id, known);
}

/** Removes a deleted conversation. Rows that arrive later change nothing. */
export function removed(store: VigilStore, id: string): void {
  store.setState((state) => {
    const list = new Map(state.list);
    list.delete(id);
    return {
      list,
      timers: new Map([...state.timers].filter(([, { conversationId }]) => conversationId !== id)),
      known: withKnown(state, id, { status: 'gone' }),
      branches: withoutBranch(state.branches, id),
      unsent: state.unsent.filter(({ conversationId }) => conversationId !== id),
      drafts: withoutDraftsOf(state.drafts, id),
    };
  });
}
