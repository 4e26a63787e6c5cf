import type { Callback } from '../api-types';
import { asksFor } from '../decisions/asks-for';
import type { ConversationHead } from '../live/protocol';
import { isOver } from '../status';
import { digest } from './position';

/**
 * The pace of a stream: `wait` for news, since somebody works; ask again `soon`, since a sub-agent or a rollback may take days; or
 * `rest`, since nothing happens before somebody acts or a time has come. A function that waits is billed, so only the first one waits.
 */
export type Pace = 'wait' | 'soon' | 'rest';

export function paceOf(head: ConversationHead, callbacks: readonly Callback[], now: Date): Pace {
  if (stopOf(head, callbacks, now)) return 'rest';
  return head.status === 'waiting' || head.status === 'cancelling' ? 'soon' : 'wait';
}

/** Whether nothing follows before a person writes, or a timer does. */
export const isDone = (status: ConversationHead['status']): boolean => status === 'idle' || isOver(status);

/** Returns the callbacks that a conversation at rest waits for, and a name for this rest; undefined if it is not at rest. */
export function stopOf(
  { status, run, until, waitsFor }: ConversationHead,
  callbacks: readonly Callback[],
  now: Date,
): { open: Callback[]; name: string } | undefined {
  const open = callbacks.filter((one) => one.runId === run?.id && one.status === 'pending');
  const people = open.filter(({ kind }) => asksFor(kind, 'decision') || asksFor(kind, 'answer'));
  // A timer may be a little late.
  const isAsleep = status === 'sleeping' && until !== undefined && new Date(until) > now;
  const isWaiting = status === 'waiting' && open.length > 0 && (people.length > 0 || waitsFor !== 'agent');
  if (!isAsleep && !isWaiting && !isDone(status)) return undefined;
  const name = [run?.id, run?.segment, status, until, ...open.map(({ id }) => id)].filter(Boolean).join(' ');
  return { open: isDone(status) ? [] : people, name: digest(name) };
}
