import * as z from 'zod';
import { defineTool } from '../../../core/conversations/agent/tool';
import { serveTool } from '../../../runtime/serve-tool';

/** An effect at a third party with idempotency keys. */
export const hit = defineTool({
  name: 'hit',
  description: 'Hits.',
  input: z.object({ url: z.string().describe('What to call') }),
  output: z.object({ hits: z.number() }),
  effect: 'idempotent',
  source: 'none',
  timeoutSeconds: 60,
  retry: { maxAttempts: 3, intervalSeconds: 1, backoffRate: 2, maxDelaySeconds: 4 },
  async execute({ url }, { callId }) {
    const response = await fetch(url, { method: 'POST', headers: { 'idempotency-key': callId } });
    if (!response.ok) throw new Error(`The other side answered ${response.status}.`);
    return (await response.json()) as { hits: number };
  },
});

export const handler = serveTool(hit);
