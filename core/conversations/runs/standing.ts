import { readCallsOfStep } from '../calls/call';
import { type RunStanding, statusWith } from '../decisions/route';
import { takerOf } from '../members/take-over';
import type { Meta, StoredRun } from '../rows/meta';
import type { StoredCall, StoredCallback } from '../rows/rows';
import type { Table } from '../store/table';

/**
 * Returns META with its run in another state. META repeats, for lists, the run's status, until when it sleeps and what it waits for: nobody
 * else writes these fields.
 *
 * @param waitsFor what the run waits for, if it does.
 */
export function withRun(meta: Meta, run: StoredRun, waitsFor?: Meta['waitsFor']): Meta {
  const { status, until } = run;
  return { ...meta, run, status, until, waitsFor: status === 'waiting' ? waitsFor : undefined };
}

/** Returns META as its run stands. Who has taken it over leaves it once the run no longer waits for them, whatever has ended that. */
export const standing = (meta: Meta, { status, until, waitsFor, handOffs = [] }: RunStanding): Meta => ({
  ...withRun(meta, { ...meta.run!, status, until }, waitsFor),
  takenBy: meta.takenBy && handOffs.includes(meta.takenBy.callbackId) ? meta.takenBy : undefined,
});

/** Returns META with who has taken it over, as one of these callbacks says. */
export const withTaker = (meta: Meta, ...callbacks: StoredCallback[]): Meta => ({
  ...meta,
  takenBy: callbacks.map(takerOf).find((taker) => taker !== undefined),
});

/** Returns how the run stands once a call of its step has changed. */
export async function standingAfter(
  table: Table,
  { conversationId, run }: Meta,
  callId: string,
  changed: Partial<StoredCall>,
): Promise<RunStanding> {
  const calls = await readCallsOfStep(table, conversationId, run!.id, run!.step);
  return statusWith(calls.map((call) => (call.id === callId ? { ...call, ...changed } : call)));
}
