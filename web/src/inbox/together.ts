import type { WaitingApproval } from 'vigil-client';
import { asksFor } from 'vigil-client/shared';
import { type ApprovalDraft, approvalPlace } from '../calls/approval-draft';
import type { Drafts } from '../hooks/drafts';
import { t } from '../languages/catalogue';
import { isTakeOver } from '../rows/take-over';
import { money } from '../words/amounts';
import { formIn, formOf } from '../words/fields';

export const isApproval = ({ callback }: WaitingApproval): boolean => asksFor(callback.kind, 'decision');
export const isQuestion = ({ callback }: WaitingApproval): boolean => asksFor(callback.kind, 'answer');

/** What is decided about several at once. */
export type Verdict = 'approve' | 'deny';

/** What a decision about several at once is about, and what stays, with the reason. */
export interface Together {
  included: WaitingApproval[];
  left: { one: WaitingApproval; why: string }[];
}

/** Separates what can be decided about with others from what needs its own form. */
export function together(items: readonly WaitingApproval[], verdict: Verdict, drafts: Drafts, now: number): Together {
  const included: WaitingApproval[] = [];
  const left: Together['left'] = [];
  for (const one of items) {
    const why = reasonApart(one, verdict, drafts, now);
    if (why) left.push({ one, why });
    else included.push(one);
  }
  return { included, left };
}

function reasonApart(one: WaitingApproval, verdict: Verdict, drafts: Drafts, now: number): string | undefined {
  const { callback, conversationId } = one;
  const { typed, reason } = (drafts.get(approvalPlace(conversationId, callback)) ?? {}) as ApprovalDraft;
  if (isQuestion(one)) return t('a question needs an answer');
  if (isTakeOver(one)) return t('it is a conversation to take over');
  if (Date.parse(callback.expiresAt) <= now) return t('it has expired');
  if (reason) return t('you have begun to deny it');
  if (typed && formIn(formOf(callback), typed).isEdited) return t('it has a change that is not sent');
  if (verdict === 'deny') return undefined;
  if (callback.asker) return t('it is a form to fill in');
  return callback.fields?.some(({ cut }) => cut) ? t('it is too long to be shown here') : undefined;
}

const amountsOf = ({ callback }: WaitingApproval) => formOf(callback).filter(({ kind }) => kind === 'money');

/** Returns the sum of each currency. Undefined unless each one is about exactly one amount of money. */
export function sumWords(items: readonly WaitingApproval[]): string | undefined {
  const sums = new Map<string, bigint>();
  for (const one of items) {
    const [amount, more] = amountsOf(one);
    if (!amount || more || !Number.isSafeInteger(amount.asked)) return undefined;
    sums.set(amount.currency!, (sums.get(amount.currency!) ?? 0n) + BigInt(amount.asked as number));
  }
  if (sums.size === 0 || [...sums.values()].some((sum) => !Number.isSafeInteger(Number(sum)))) return undefined;
  return [...sums].map(([currency, sum]) => money(Number(sum), currency)).join(' + ');
}

/** Returns the ids from one to another, in the order of the list. */
export function rangeOf(ids: readonly string[], from: string | undefined, to: string): string[] {
  const [start, end] = [ids.indexOf(from ?? to), ids.indexOf(to)];
  if (start < 0) return [to];
  return ids.slice(Math.min(start, end), Math.max(start, end) + 1);
}
