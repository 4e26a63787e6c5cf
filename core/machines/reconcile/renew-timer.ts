import { inSegment, listing, stopWaiting, waitFor } from '../../conversations/calls/timer';
import { key } from '../../conversations/rows/keys';
import type { StoredTimer } from '../../conversations/rows/rows';
import { type Table, write } from '../../conversations/store/table';
import { segmentsOf } from './renew-run';

/**
 * Moves a timer to another segment, whose execution waits for the same time. If that has passed, the timer fires late.
 *
 * @param to the next segment. Its execution does not exist.
 * @returns whether the timer has moved. If not, its row has changed meanwhile.
 */
export function renewTimer(table: Table, timer: StoredTimer, to: number, now: Date): Promise<boolean> {
  const { conversationId, id, segment, version } = timer;
  const entered = inSegment(to, now);
  const set = { ...entered, ...listing(timer) };
  const stops = segmentsOf(segment, to).map((stale) => stopWaiting({ ...timer, segment: stale }, 'renewed'));
  return write(table, conversationId, [
    { sk: key.timer(id), set, onlyIf: { version } },
    ...stops,
    waitFor({ ...timer, ...entered }),
  ]);
}
