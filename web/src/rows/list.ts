import type { ConversationSummary } from 'vigil-client';
import { type List, placeOf } from 'vigil-client/shared';

/** Whether the conversation waits for the user as its owner. */
export const waitsForYou = ({
  status,
  waitsFor = 'you',
  role,
}: Pick<ConversationSummary, 'status' | 'waitsFor' | 'role'>): boolean =>
  status === 'waiting' && waitsFor === 'you' && role === undefined;

/** Whether there is a run to stop. */
export const isActive = (run: Pick<ConversationSummary, 'status'> | undefined): boolean =>
  run?.status === 'running' || run?.status === 'sleeping' || run?.status === 'waiting';

/** Whether the run stopped and can be retried. */
export const canRetry = (run: Pick<ConversationSummary, 'status'> | undefined): boolean =>
  run?.status === 'failed' || run?.status === 'limited';

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
