import * as z from 'zod';
import { defineTool } from '../../core/agent/tool';
import { isArranged, readTimers } from '../../core/calls/timer';
import { Timer } from '../../core/state/schemas';
import { serveTool } from '../../runtime/serve-tool';

export const listTimers = defineTool({
  name: 'list_timers',
  description:
    'Lists what is arranged for later in this conversation: reminders, recurring tasks and calls, each with its id, its rule and ' +
    'when it is due next. It changes nothing.',
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
