import * as z from 'zod';
import { defineTool } from '../../../core/conversations/agent/tool';
import { serveTool } from '../../../runtime/serve-tool';

/** Finds out whether a hit took effect. */
export const checkHits = defineTool({
  name: 'check_hits',
  description: 'Counts.',
  input: z.object({ url: z.string().describe('What was called') }),
  output: z.object({ hits: z.number() }),
  effect: 'read',
  source: 'none',
  timeoutSeconds: 60,
  async execute({ url }) {
    return (await (await fetch(`${url}/count`)).json()) as { hits: number };
  },
});

export const handler = serveTool(checkHits);
