import * as z from 'zod';
import { defineTool, tableEffect } from '../../core/agent/tool';
import { cancelTimerRow, isArranged, readTimer } from '../../core/calls/timer';
import { TellModel } from '../../core/text/errors';
import { serveTool } from '../../runtime/serve-tool';

export const cancelTimer = defineTool({
  name: 'cancel_timer',
  description: 'Cancels something that is arranged for later in this conversation, by the id that `list_timers` tells.',
  input: z.object({ timer_id: z.string().max(120).describe('The id of the timer') }),
  output: z.object({ cancelled: z.string() }),
  effect: 'table',
  async execute({ timer_id }, { table, conversationId }) {
    const found = await readTimer(table, conversationId, timer_id);
    const timer = found && isArranged(found) ? found : undefined;
    if (timer?.status !== 'active')
      throw new TellModel(
        timer ? `It is ${timer.status} already.` : `There is no timer ${timer_id}: call list_timers.`,
      );
    return tableEffect({ output: { cancelled: timer_id }, rows: [cancelTimerRow(timer)] });
  },
});

export const handler = serveTool(cancelTimer);
