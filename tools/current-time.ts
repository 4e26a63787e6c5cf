import * as z from 'zod';
import { defineTool } from '../core/agent/tool';
import { serveTool } from '../runtime/serve-tool';

export const currentTime = defineTool({
  name: 'current_time',
  description:
    'Tells the current time in UTC. Call it before you work out any date or time: you do not know what time it is. It does not wait.',
  input: z.object({}),
  output: z.object({ now: z.iso.datetime().describe('UTC, ISO 8601') }),
  effect: 'read',
  timeoutSeconds: 10,
  execute: async (_input, { now }) => ({ now: now.toISOString() }),
});

export const handler = serveTool(currentTime);
