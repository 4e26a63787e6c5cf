import { shipped } from '../agents';
import { TimerInput, type TimerOutput } from '../core/state/timer-state';
import { fireTimer } from '../core/timers/fire-timer';
import { tableOfDeployment } from '../runtime/environment';
import { log, logged } from '../runtime/log';
import { plainError } from '../runtime/plain-error';

const table = tableOfDeployment();

/** FireTimer: fires a timer that is due. A repeated invocation only returns the next time. */
export const handler = logged(async (event: unknown): Promise<TimerOutput> => {
  const input = TimerInput.parse(event);
  try {
    const output = await fireTimer(table, shipped.agents, input, new Date());
    log.info('timer', { next: output.next });
    return output;
  } catch (error) {
    throw plainError(error);
  }
});
