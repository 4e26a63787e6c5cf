import * as z from 'zod';
import { defineTool, tableEffect } from '../../core/agent/tool';
import { longestDelaySeconds } from '../../core/state/rule';
import { serveTool } from '../../runtime/serve-tool';
import { cancelOwnTimer } from './timers';

export const remindLater = defineTool({
  name: 'remind_later',
  description:
    'Schedules a reminder in this conversation after a delay and returns at once, so you and the user can continue. When it is due, ' +
    'you are woken with its text and tell the user. It does not wait.',
  input: z.object({
    message: z.string().min(1).max(2_000).describe('What the reminder is about, in words that make sense later'),
    delay_seconds: z
      .number()
      .int()
      .positive()
      .max(longestDelaySeconds)
      .describe('The delay in seconds from now, more than 0'),
  }),
  output: z.object({ scheduled: z.string(), at: z.iso.datetime(), delay_seconds: z.number(), timer_id: z.string() }),
  effect: 'table',
  // The timer keeps the sources, and so does the run that it starts.
  afterUntrusted: () => 'allow',
  needs: { partitions: ['N#'] },
  async execute({ message, delay_seconds }, { now, callId }) {
    const at = new Date(now.getTime() + delay_seconds * 1_000);
    return tableEffect({
      output: { scheduled: message, at: at.toISOString(), delay_seconds, timer_id: callId },
      timer: { kind: 'once', at, text: message },
    });
  },
  compensate: (_input, _output, context) => cancelOwnTimer(context),
});

export const handler = serveTool(remindLater);
