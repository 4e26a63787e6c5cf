import * as z from 'zod';
import { defineTool } from '../../core/agent/tool';

export const schedule = defineTool({
  kind: 'wait',
  name: 'schedule',
  description:
    'Sleeps until a point in time, minutes or years away, and then tells you that it has come, so you can continue. It notifies no ' +
    'one: to remind the user, call `reminder` afterwards. If the time has passed, it returns at once.',
  input: z.object({
    at: z.iso.datetime().describe('When to wake up: UTC, ISO 8601, for example 2026-03-01T08:00:00Z'),
  }),
  until: ({ at }) => new Date(at),
});
