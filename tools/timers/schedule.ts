import * as z from 'zod';
import { defineTool } from '../../core/agent/tool';

export const schedule = defineTool({
  kind: 'wait',
  name: 'schedule',
  description:
    'Sleeps until a point in time and then tells you that it has come; go on with your work then. It may be minutes or years away. ' +
    'It tells nobody anything: to remind the user, call `reminder` after it. A time that has passed returns at once.',
  input: z.object({
    at: z.iso.datetime().describe('When to wake up: UTC, ISO 8601, for example 2026-03-01T08:00:00Z'),
  }),
  until: ({ at }) => new Date(at),
});
