import type { Callback } from 'vigil-client';
import type { Typed } from '../words/fields';

/** The input in the form of an approval. It stays when somebody else decides meanwhile. */
export interface ApprovalDraft {
  /** The fields are open. What is typed is here by their names. */
  typed?: Typed;
  /** The reason, while the call is being denied. */
  reason?: string;
}

export const approvalPlace = (id: string, { id: callbackId }: Pick<Callback, 'id'>): string => `${id} ${callbackId}`;
