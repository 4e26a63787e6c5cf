import type { Callback } from 'vigil-client';
import { withDraft } from '../hooks/drafts';
import type { VigilStore } from '../state/vigil-state';
import type { Typed } from '../words/fields';

/** The input in the form of an approval. It stays when somebody else decides meanwhile. */
export interface ApprovalDraft {
  /** The fields are open. What is typed is here by their names. */
  typed?: Typed;
  /** The reason, while the call is being denied. */
  reason?: string;
}

export const approvalPlace = (id: string, { id: callbackId }: Pick<Callback, 'id'>): string => `${id} ${callbackId}`;

/** Opens the fields of an approval, or the field of the reason for which it is denied. What was typed stays. */
export function beginDraft(store: VigilStore, place: string, does: 'edit' | 'deny'): void {
  store.setState(({ drafts }) => {
    const { typed, reason } = (drafts.get(place) ?? {}) as ApprovalDraft;
    const draft = does === 'deny' ? { typed, reason: reason ?? '' } : { typed: typed ?? {} };
    return { drafts: withDraft(drafts, place, draft) };
  });
}
