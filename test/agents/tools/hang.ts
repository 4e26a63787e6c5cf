import * as z from 'zod';
import { defineTool } from '../../../core/conversations/agent/tool';
import { serveTool } from '../../../runtime/serve-tool';

/** A tool that never returns. */
export const hang = defineTool({
  name: 'hang',
  description: 'Hangs.',
  input: z.object({}),
  output: z.object({}),
  effect: 'read',
  timeoutSeconds: 2,
  retry: { maxAttempts: 2, intervalSeconds: 5, backoffRate: 3, maxDelaySeconds: 60 },
  async execute() {
    await new Promise(() => setInterval(() => undefined, 1_000));
    return {};
  },
});

export const handler = serveTool(hang);
