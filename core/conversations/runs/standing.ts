import { readCallsOfStep } from '../calls/call';
import { type RunStanding, statusWith } from '../decisions/route';
import type { Meta, StoredRun } from '../rows/meta';
import type { StoredCall } from '../rows/rows';
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

/** Returns META as its run stands. */
export const standing = (meta: Meta, { status, until, waitsFor }: RunStanding): Meta =>
  withRun(meta, { ...meta.run!, status, until }, waitsFor);

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
