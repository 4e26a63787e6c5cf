import type { Run } from 'vigil-client/shared';
import type { Act } from '../state/act';
import { showDialog } from './page-dialog';

/** Stops a run. It undoes effects, so one that sleeps or waits leaves time to confirm it. */
export function stopRun(act: Act, id: string, run: Pick<Run, 'status'> | undefined): void {
  if (run?.status === 'running') void act.stop(id);
  else showDialog({ is: 'stop', id });
}
