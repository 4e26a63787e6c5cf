import { shipped } from '../agents';
import { TimerInput, type TimerOutput } from '../core/state/timer-state';
import { fireTimer } from '../core/timers/fire-timer';
import { tableOfDeployment } from '../runtime/environment';
import { log } from '../runtime/log';
import { plainError } from '../runtime/plain-error';

const table = tableOfDeployment();

/** FireTimer: fires a timer that is due. A repeated invocation only returns the next time. */
export async function handler(event: unknown): Promise<TimerOutput> {
  const input = TimerInput.parse(event);
  const { timerId, segment } = input;
  try {
    const output = await fireTimer(table, shipped.agents, input, new Date());
    log.info('timer', { timerId, segment, next: output.next });
    return output;
  } catch (error) {
    throw plainError(error, { timerId, segment });
  }
}
