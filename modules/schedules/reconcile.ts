import type { ReconcileModule } from '../../lambdas/reconcile/module';
import { log } from '../../runtime/log';
import { scheduleChanges } from './declared-schedules';

/** Creates, changes and ends the timers of the schedules that the code declares. */
export const inReconcile: ReconcileModule = {
  name: 'schedules',
  async declare({ table, registry, now, dryRun }, swept, isTimeLeft) {
    const fail = (id: string, { name: error }: Error) => {
      swept.failed.push({ id, error });
      log.error('schedule', { id, error });
    };
    const { changes, failed } = await scheduleChanges(table, registry);
    for (const [schedule, error] of failed) fail(schedule, error);
    for (const { does, schedule, conversationId, make } of changes) {
      if (!isTimeLeft()) return;
      try {
        if (!dryRun) await make(table, now);
        const because = `the code ${does === 'end' ? 'no longer has' : does === 'change' ? 'changes' : 'has'} ${schedule}`;
        swept.actions.push({ does: 'schedule', conversationId, id: schedule, because });
      } catch (error) {
        fail(schedule, error as Error);
      }
    }
  },
};
