import * as z from 'zod';
import { defineTool } from '../../../core/conversations/agent/tool';
import { serveTool } from '../../../runtime/serve-tool';
import { checkHits } from './check-hits';

/** An effect at a third party without idempotency keys: it must never be repeated. */
export const hitOnce = defineTool({
  name: 'hit_once',
  description: 'Hits once.',
  input: z.object({ url: z.string().describe('What to call') }),
  output: z.object({ hits: z.number() }),
  effect: 'once',
  source: 'none',
  timeoutSeconds: 60,
  verify: checkHits,
  async execute({ url }) {
    const response = await fetch(url, { method: 'POST' });
    return (await response.json()) as { hits: number };
  },
});

export const handler = serveTool(hitOnce);
