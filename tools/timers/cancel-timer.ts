import * as z from 'zod';
import { TellModel } from '../../core/base/text/errors';
import { tableEffect } from '../../core/conversations/agent/table-effect';
import { defineTool } from '../../core/conversations/agent/tool';
import { cancelTimerRows, isArranged, isOpenTimer, readTimer } from '../../core/conversations/calls/timer';
import { timersFor } from '../../core/people/views/timers';
import { serveTool } from '../../runtime/serve-tool';

export const cancelTimer = defineTool({
  name: 'cancel_timer',
  title: 'Cancel a timer',
  description:
    'Cancels a timer of the user (a reminder, recurring task or scheduled call), of this or another conversation, by its id from ' +
    '`list_timers`.',
  input: z.object({ timer_id: z.string().max(120).describe('The id of the timer') }),
  output: z.object({ cancelled: z.string() }),
  effect: 'table',
  needs: { partitions: ['N#'], timers: true },
  async execute({ timer_id }, { table, user, conversationId }) {
    const own = await readTimer(table, conversationId, timer_id);
    const found = own ?? (await timersFor(table, { user, conversationId })).find(({ id }) => id === timer_id);
    const timer = found && isArranged(found) ? found : undefined;
    if (!timer || !isOpenTimer(timer))
      throw new TellModel(
        timer ? `The timer is already ${timer.status}.` : `There is no timer ${timer_id}: call list_timers.`,
      );
    return tableEffect({ output: { cancelled: timer_id }, rows: cancelTimerRows(timer) });
  },
});

export const handler = serveTool(cancelTimer);
