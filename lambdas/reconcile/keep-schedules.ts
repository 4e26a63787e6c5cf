import { scheduleChanges } from '../../core/conversations/timers/declared-schedules';
import { log } from '../../runtime/log';
import type { Action, Reconciling } from './reconcile-row';

/**
 * Creates, changes and ends the timers of the schedules that the code declares. What fails, or is left when its time is over, is left to the
 * next sweep.
 *
 * @param result gets what was done, and what failed.
 */
export async function keepSchedules(
  { table, registry, now, dryRun }: Reconciling,
  result: { actions: Action[]; failed: { id: string; error: string }[] },
  isTimeLeft: () => boolean,
): Promise<void> {
  const fail = (id: string, { name: error }: Error) => {
    result.failed.push({ id, error });
    log.error('schedule', { id, error });
  };
  const { changes, failed } = await scheduleChanges(table, registry);
  for (const [schedule, error] of failed) fail(schedule, error);
  for (const { does, schedule, conversationId, make } of changes) {
    if (!isTimeLeft()) return;
    try {
      if (!dryRun) await make(table, now);
      const because = `the code ${does === 'end' ? 'no longer has' : does === 'change' ? 'changes' : 'has'} ${schedule}`;
      result.actions.push({ does: 'schedule', conversationId, id: schedule, because });
    } catch (error) {
      fail(schedule, error as Error);
    }
  }
}
