import { shipped } from '../agents';
import { TimerInput } from '../core/base/state/timer-state';
import { fireTimer } from '../core/machines/timers/fire-timer';
import { tableOfDeployment } from '../runtime/environment';
import { log } from '../runtime/log';
import { serveState } from '../runtime/serve-state';

const table = tableOfDeployment();

/** FireTimer: fires a timer that is due. A repeated invocation only returns the next time. */
export const handler = serveState(TimerInput, async (input) => {
  const output = await fireTimer(table, shipped.agents, input, new Date());
  log.info('timer', { next: output.next });
  return output;
});
