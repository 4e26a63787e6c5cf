import * as z from 'zod';
import { defineTool } from '../../../core/conversations/agent/tool';
import { serveIsolated } from '../../../runtime/serve-isolated';
import { post } from './post';

/** An isolated tool with an effect at a third party, which can be taken back. */
export const payFar = defineTool({
  name: 'pay_far',
  description: 'Pays far away.',
  input: z.object({ url: z.string().describe('Whom'), cents: z.number().int().describe('How much') }),
  output: z.object({ paid: z.number() }),
  effect: 'idempotent',
  source: 'none',
  isolated: true,
  timeoutSeconds: 60,
  retry: { maxAttempts: 2, intervalSeconds: 1, backoffRate: 2, maxDelaySeconds: 4 },
  async execute({ url, cents }, { callId }) {
    await post(`${url}/pay/${cents}`, callId);
    return { paid: cents };
  },
  async compensate({ url, cents }, paid, { callId }) {
    await post(`${url}/refund/${paid?.paid ?? cents}`, `${callId} undone`);
  },
});

export const handler = serveIsolated(payFar);
