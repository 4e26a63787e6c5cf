import type { Callback } from 'vigil-client';
import { withDraft } from '../hooks/drafts';
import { locale } from '../languages/locale';
import type { VigilStore } from '../state/vigil-state';
import type { Field, Typed } from '../words/fields';

/** The input in the form of an approval. It stays when somebody else decides meanwhile. */
export interface ApprovalDraft {
  /** The fields are open. What is typed is here by their names. */
  typed?: Typed;
  /** The locale in whose notation numbers were typed. */
  notation?: string;
  /** The reason, while the call is being denied. */
  reason?: string;
}

/** Returns what was typed. Numbers of another notation are dropped: 1,234 is another amount in another language. */
export function typedIn({ typed, notation }: ApprovalDraft, fields: readonly Field[]): Typed | undefined {
  if (!typed || notation === locale()) return typed;
  const numbers = new Set(fields.filter(({ kind }) => kind === 'money' || kind === 'number').map(({ name }) => name));
  return Object.fromEntries(Object.entries(typed).filter(([name]) => !numbers.has(name)));
}

export const approvalPlace = (id: string, { id: callbackId }: Pick<Callback, 'id'>): string => `${id} ${callbackId}`;

/** Opens the fields of an approval, or the field of the reason for which it is denied. What was typed stays. */
export function beginDraft(store: VigilStore, place: string, does: 'edit' | 'deny'): void {
  store.setState(({ drafts }) => {
    const { typed, notation, reason } = (drafts.get(place) ?? {}) as ApprovalDraft;
    const draft = does === 'deny' ? { typed, notation, reason: reason ?? '' } : { typed: typed ?? {}, notation };
    return { drafts: withDraft(drafts, place, draft) };
  });
}
