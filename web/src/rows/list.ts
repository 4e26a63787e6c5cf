import type { ConversationSummary } from 'vigil-client';
import { type List, lateMs, placeOf } from 'vigil-client/shared';

/**
 * Removes conversations that were deleted without a push: those with a run that is not over or can be retried, which the server no
 * longer lists as such.
 */
export function withoutClosed(
  list: List,
  { open, asked, now }: { open: readonly ConversationSummary[]; asked: List; now: number },
): List {
  const there = new Set(open.map(({ id }) => id));
  const isDeleted = (one: ConversationSummary) =>
    !there.has(one.id) &&
    !['idle', 'done', 'cancelled'].includes(one.status) &&
    asked.get(one.id) === one &&
    Date.parse(one.updatedAt) < now - lateMs;
  const kept = [...list].filter(([, one]) => !isDeleted(one));
  return kept.length < list.size ? new Map(kept) : list;
}

/** Whether the conversation waits for its owner. */
export const waitsForYou = ({ status, waitsFor = 'you' }: Pick<ConversationSummary, 'status' | 'waitsFor'>): boolean =>
  status === 'waiting' && waitsFor === 'you';

/** Sorts the conversations that wait for the user first, then the pinned ones, then by the last change. */
export const sorted = (list: List): ConversationSummary[] =>
  [...list.values()].sort(
    (a, b) => Number(waitsForYou(b)) - Number(waitsForYou(a)) || (placeOf(a) < placeOf(b) ? 1 : -1),
  );

/** Returns the earliest of these moments that is in the future. */
export function nextMoment(moments: readonly (string | undefined)[], now: number): string | undefined {
  return moments
    .filter((one): one is string => one !== undefined && Date.parse(one) > now)
    .sort((a, b) => Date.parse(a) - Date.parse(b))[0];
}
