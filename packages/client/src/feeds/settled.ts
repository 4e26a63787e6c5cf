import type { Message } from '../api-types';
import { amendable } from '../live/rows';

/**
 * Returns the seq after which to read: all messages up to it are known and final. A message is read again until it is
 * complete or cancelled. One that was interrupted may be written again, and the latest ones may be amended.
 */
export function settledSeq(messages: readonly Message[]): number {
  let seq = 0;
  for (const message of messages) {
    if (message.seq !== seq + 1 || (message.status !== 'complete' && message.status !== 'cancelled')) break;
    seq = message.seq;
  }
  const last = messages.at(-1)?.seq ?? 0;
  return Math.max(0, Math.min(seq, last - amendable - 1));
}
