import { useVigil, useVigilState } from './use-vigil';

/**
 * What is being written and is not sent, by the place where it is written: a conversation's field, an approval's form. It
 * outlives a look at another conversation, as long as the page is there.
 */
export type Drafts = ReadonlyMap<string, unknown>;

/** The place of a message that begins a conversation: no conversation's id has a space. */
export const newPlace = 'a new one';

/** @param draft nothing where it was sent, or thrown away. */
export function withDraft(drafts: Drafts, place: string, draft: unknown): Drafts {
  const kept = new Map(drafts);
  if (draft === undefined) kept.delete(place);
  else kept.set(place, draft);
  return kept;
}

/** The draft of a place, `empty` until one writes there, and how it changes. A place has drafts of one kind. */
export function useDraft<Draft>(place: string, empty: Draft): [Draft, (to: Draft | undefined) => void] {
  const { store } = useVigil();
  const draft = useVigilState(({ drafts }) => drafts.get(place)) as Draft | undefined;
  const change = (to: Draft | undefined) => store.setState(({ drafts }) => ({ drafts: withDraft(drafts, place, to) }));
  return [draft ?? empty, change];
}
