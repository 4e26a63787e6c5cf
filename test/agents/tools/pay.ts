import * as z from 'zod';
import { defineTool } from '../../../core/conversations/agent/tool';
import { serveTool } from '../../../runtime/serve-tool';
import { post } from './post';

/** An effect at a third party with idempotency keys. Large payments need approval; all can be taken back. */
export const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  input: z.object({
    url: z.string().describe('Whom'),
    cents: z.number().int().positive().max(1_000_000).describe('How much'),
  }),
  output: z.object({ paid: z.number() }),
  effect: 'idempotent',
  source: 'none',
  timeoutSeconds: 60,
  retry: { maxAttempts: 2, intervalSeconds: 1, backoffRate: 2, maxDelaySeconds: 4 },
  approval: {
    when: ({ cents }) => cents > 10_000,
    prompt: 'Pay?',
    expiresInSeconds: 3 * 86_400,
    fallback: 'Nobody approved the payment within three days, so it was not made.',
  },
  async execute({ url, cents }, { callId }) {
    await post(`${url}/pay/${cents}`, callId);
    return { paid: cents };
  },
  async compensate({ url, cents }, _paid, { callId }) {
    await post(`${url}/refund/${cents}`, `${callId} undone`);
  },
});

export const handler = serveTool(pay);
