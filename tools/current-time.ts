import * as z from 'zod';
import { inZone } from '../core/base/time/time-zone';
import { defineTool } from '../core/conversations/agent/tool';
import { serveIsolated } from '../runtime/serve-isolated';

export const currentTime = defineTool({
  name: 'current_time',
  title: 'Look at the clock',
  description:
    'Tells the current time, in UTC and in the user’s time zone. Call it before you work out any date or time: you do not know what time ' +
    'it is. It does not wait.',
  input: z.object({}),
  output: z.object({
    now: z.iso.datetime().describe('UTC, ISO 8601'),
    weekday: z.string(),
    local: z
      .string()
      .optional()
      .describe('The user’s local time, with its offset and time zone. If absent, use UTC and say so'),
  }),
  effect: 'read',
  timeoutSeconds: 10,
  isolated: true,
  execute: async (_input, { now, timeZone }) => ({
    now: now.toISOString(),
    weekday: new Intl.DateTimeFormat('en', { weekday: 'long', timeZone }).format(now),
    ...(timeZone !== 'UTC' && { local: inZone(now, timeZone) }),
  }),
});

export const handler = serveIsolated(currentTime);
