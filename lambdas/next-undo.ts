import { shipped } from '../agents';
import { nextUndo } from '../core/rollback/rollback';
import { RollbackInput, type RollbackOutput } from '../core/state/rollback-state';
import { tableOfDeployment } from '../runtime/environment';
import { log, logged } from '../runtime/log';
import { plainError } from '../runtime/plain-error';

const table = tableOfDeployment();

/** NextUndo: chooses what a rollback undoes next, and ends the run if nothing is left. */
export const handler = logged(async (event: unknown): Promise<RollbackOutput> => {
  const input = RollbackInput.parse(event);
  try {
    const output = await nextUndo(table, shipped, input, new Date());
    log.info('rollback', { next: output.next, callId: output.call?.callId });
    return output;
  } catch (error) {
    throw plainError(error);
  }
});
