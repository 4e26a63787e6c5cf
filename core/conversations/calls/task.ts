import type { ServerWorks } from '../../base/state/isolated-call';
import { key } from '../rows/keys';
import type { StoredCall, StoredCallback } from '../rows/rows';
import { ignoreConflict, type Table, write } from '../store/table';
import { closeCallback, newCallback, putCallback, taskCallbackId } from './callback';

// A server that works on a call as a task is a callback of the kind `task`, open until the call has its outcome. The run waits for it until
// `lookAt`, and then an attempt asks the server how far it is. Who cancels its callback has the server told.

/** A task that takes longer is given up. */
const longestTaskSeconds = 30 * 86_400;

/** A server that names no time is asked again after half the time that the task has taken so far, within these bounds. */
const [leastSeconds, mostSeconds] = [5, 3_600];
/** A server may name a longer time, and a shorter one. */
const bounds = [1, 86_400] as const;

/** The last look is so long before the server forgets the result. */
const spareSeconds = 30;
/** A server that keeps its result for less is asked some times all the same. */
const leastKeptSeconds = 60;
/** A look that could not be made is tried again after this time. */
const postponedSeconds = 60;

/**
 * Returns the callback of a call on which its server works.
 *
 * @param since when the call was first left to the server. Absent if it is now.
 */
export function taskCallback(
  { id: callId, runId, tool }: StoredCall,
  { round: { task }, notBefore }: ServerWorks,
  since: string | undefined,
  now: Date,
): StoredCallback {
  const begun = since === undefined ? now : new Date(since);
  const taken = (now.getTime() - begun.getTime()) / 1_000;
  const { pollMs, ttlMs = Number.POSITIVE_INFINITY } = task;
  const kept = Math.min(longestTaskSeconds, ttlMs / 1_000);
  const callback = newCallback(
    {
      id: taskCallbackId(callId),
      callId,
      runId,
      kind: 'task',
      tool,
      taskId: task.id,
      prompt: `The server works on ${tool}.`,
      fallback: `The server worked on ${tool} for too long, and has given no result.`,
      expiresInSeconds: Math.max(leastKeptSeconds, kept),
    },
    begun,
  );
  const asked = pollMs === undefined ? undefined : clamp(pollMs / 1_000, bounds);
  const next = Math.max(asked ?? leastSeconds, Math.min(mostSeconds, taken / 2));
  const pause = notBefore === undefined ? 0 : (Date.parse(notBefore) - now.getTime()) / 1_000;
  const wanted = Math.max(next, clamp(pause, [0, bounds[1]]));
  const last = kept - Math.min(spareSeconds, kept / 2) - taken;
  // A result that is kept for seconds is looked for at once.
  const soonest = since === undefined ? bounds[0] : leastSeconds;
  return { ...callback, lookAt: secondsAfter(now, Math.max(Math.min(wanted, last), Math.min(wanted, soonest))) };
}

const clamp = (value: number, [least, most]: readonly [number, number]): number =>
  Math.min(most, Math.max(least, value));

const secondsAfter = (now: Date, seconds: number): string => new Date(now.getTime() + seconds * 1_000).toISOString();

/** Notes that a server could not be asked. @returns the callback with the time of the next look. */
export async function postponeLook(
  table: Table,
  conversationId: string,
  callback: StoredCallback,
  now: Date,
): Promise<StoredCallback> {
  const lookAt = secondsAfter(now, postponedSeconds);
  await write(table, conversationId, [
    { sk: key.callback(callback.id), set: { lookAt }, onlyIf: { status: 'pending' } },
  ]);
  return { ...callback, lookAt };
}

/** Has the server told to end a task that began when its call had ended already. */
export async function leaveTask(
  table: Table,
  conversationId: string,
  { status, ttl }: StoredCall,
  callback: StoredCallback,
  now: Date,
): Promise<void> {
  if (status !== 'cancelled' && status !== 'unknown') return;
  const [{ set }, ...todos] = closeCallback(callback, 'cancelled', now);
  const row = putCallback({ ...callback, ...(set as Partial<StoredCallback>), ...(ttl !== undefined && { ttl }) });
  await write(table, conversationId, [row, ...todos]).catch(ignoreConflict);
}
