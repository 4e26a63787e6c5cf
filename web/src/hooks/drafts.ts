import { useVigil, useVigilState } from './use-vigil';

/**
 * Texts that are not sent yet, by the place where they are written: a conversation's field, an approval's form. A draft
 * is kept while another conversation is open, and in the browser (`kept-drafts.ts`).
 */
export type Drafts = ReadonlyMap<string, unknown>;

/** The place of a message that starts a conversation. Ids of conversations contain no spaces, so the key is unique. */
export const newPlace = 'a new one';

/**
 * @param draft undefined if it was sent or discarded.
 */
export function withDraft(drafts: Drafts, place: string, draft: unknown): Drafts {
  const kept = new Map(drafts);
  if (draft === undefined) kept.delete(place);
  else kept.set(place, draft);
  return kept;
}

/**
 * Returns the draft of a place, initially `empty`, and a function that changes it. Each place has one type of draft.
 */
export function useDraft<Draft>(place: string, empty: Draft): [Draft, (to: Draft | undefined) => void] {
  const { store } = useVigil();
  const draft = useVigilState(({ drafts }) => drafts.get(place)) as Draft | undefined;
  const change = (to: Draft | undefined) => store.setState(({ drafts }) => ({ drafts: withDraft(drafts, place, to) }));
  return [draft ?? empty, change];
}
