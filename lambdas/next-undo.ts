import { shipped } from '../agents';
import { nextUndo } from '../core/rollback/rollback';
import { RollbackInput, type RollbackOutput } from '../core/state/rollback-state';
import { tableOfDeployment } from '../runtime/environment';
import { log } from '../runtime/log';
import { plainError } from '../runtime/plain-error';

const table = tableOfDeployment();

/** NextUndo: chooses what a rollback undoes next, and ends the run if nothing is left. */
export async function handler(event: unknown): Promise<RollbackOutput> {
  const input = RollbackInput.parse(event);
  const { runId } = input;
  try {
    const output = await nextUndo(table, shipped, input, new Date());
    log.info('rollback', { runId, next: output.next, callId: output.call?.callId });
    return output;
  } catch (error) {
    throw plainError(error, { runId });
  }
}
