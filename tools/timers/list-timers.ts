import * as z from 'zod';
import { joined } from '../../core/base/content/sources';
import { Timer } from '../../core/base/state/schemas';
import { withSources } from '../../core/conversations/agent/table-effect';
import { defineTool } from '../../core/conversations/agent/tool';
import { timersFor } from '../../core/people/views/timers';
import { serveTool } from '../../runtime/serve-tool';

export const listTimers = defineTool({
  name: 'list_timers',
  title: 'Look up timers',
  description:
    'Lists the user’s open timers, in all of their conversations: reminders, recurring tasks and scheduled calls, each with its id, ' +
    'rule and next time, and whether it is paused. It changes nothing.',
  input: z.object({}),
  output: z.object({
    timers: z.array(
      Timer.omit({ version: true }).extend({
        elsewhere: z.literal(true).optional().describe('Whether it is in another conversation of the user'),
      }),
    ),
  }),
  effect: 'read',
  timeoutSeconds: 10,
  needs: { timers: true },
  async execute(_input, { table, user, conversationId }) {
    const timers = await timersFor(table, { user, conversationId });
    const listed = timers.map((timer) => ({
      ...timer,
      ...(timer.conversationId !== conversationId && { elsewhere: true as const }),
    }));
    // An agent that had read words from outside wrote some of the texts.
    return withSources({ timers: listed }, joined(...timers.map(({ sources }) => sources)));
  },
});

export const handler = serveTool(listTimers);
