import { shipped } from '../agents';
import { RollbackInput } from '../core/base/state/rollback-state';
import { nextUndo } from '../core/machines/rollback/rollback';
import { tableOfDeployment } from '../runtime/environment';
import { log } from '../runtime/log';
import { serveState } from '../runtime/serve-state';

const table = tableOfDeployment();

/** NextUndo: chooses what a rollback undoes next, and ends the run if nothing is left. */
export const handler = serveState(RollbackInput, async (input) => {
  const output = await nextUndo(table, shipped, input, new Date());
  log.info('rollback', { next: output.next, callId: output.call?.callId });
  return output;
});
