import { executionName } from '../loop-state';
import { onlyWaits } from '../route';
import { readCallsOfStep } from './call';
import type { Meta, StoredCall, StoredRun } from './rows';
import { changeConversation, type Table } from './table';

/** Whether the run does nothing but sleep. What META says suffices, unless some of several calls are still at work. */
export async function isAsleep(table: Table, { conversationId, run }: Meta): Promise<boolean> {
  if (run?.status === 'sleeping') return true;
  if (run?.status !== 'running' || run.draft || run.next?.next !== 'many') return false;
  return onlyWaits(await readCallsOfStep(table, conversationId, run.id, run.step));
}

/**
 * Wakes a run: it goes on in its next segment, whose execution is to be started, and the sleeping one is to be stopped.
 * The segment's number fences that one off: should it wake up by itself first, it changes nothing.
 */
export function awakened(run: StoredRun, now: Date): Pick<Meta, 'run' | 'status' | 'until' | 'outbox'> {
  return {
    status: 'running',
    until: undefined,
    outbox: 'start',
    run: {
      ...run,
      status: 'running',
      until: undefined,
      segment: run.segment + 1,
      segmentStartedAt: now.toISOString(),
      segmentEvents: 0,
      stop: executionName(run.id, run.segment),
    },
  };
}

/** After the last tool beside a wait has ended: a message that came while it was at work may wake the run now. */
export async function wakeIfCalled(table: Table, call: StoredCall, conversationId: string, now: Date): Promise<void> {
  if (!call.besideWait) return;
  await changeConversation<void>(table, conversationId, async (meta) => {
    const { run, pending } = meta;
    const waits =
      run?.id === call.runId && run.step === call.step && pending.length > 0 && (await isAsleep(table, meta));
    return { meta: waits ? { ...meta, ...awakened(run, now) } : undefined, answer: undefined };
  });
}
