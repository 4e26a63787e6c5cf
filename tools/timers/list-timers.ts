import * as z from 'zod';
import { defineTool } from '../../core/agent/tool';
import { isArranged, readTimers } from '../../core/calls/timer';
import { Timer } from '../../core/state/schemas';
import { serveTool } from '../../runtime/serve-tool';

export const listTimers = defineTool({
  name: 'list_timers',
  description:
    'Lists the active timers of this conversation: reminders, recurring tasks and scheduled calls, each with its id, rule and next ' +
    'time. It changes nothing.',
  input: z.object({}),
  output: z.object({ timers: z.array(Timer.omit({ version: true })) }),
  effect: 'read',
  timeoutSeconds: 10,
  async execute(_input, { table, conversationId }) {
    const timers = await readTimers(table, conversationId);
    return { timers: timers.filter((timer) => timer.status === 'active' && isArranged(timer)) };
  },
});

export const handler = serveTool(listTimers);
