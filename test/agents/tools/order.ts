import * as z from 'zod';
import { defineTool } from '../../../core/conversations/agent/tool';
import { serveTool } from '../../../runtime/serve-tool';
import { webhookAddress } from '../../../runtime/webhook-address';
import { post } from './post';

/** Starts something elsewhere and waits for the delivery. */
export const order = defineTool({
  name: 'order',
  description: 'Orders, and waits for the delivery.',
  input: z.object({ url: z.string().describe('Where') }),
  output: z.object({ ordered: z.boolean() }),
  effect: 'idempotent',
  source: 'none',
  timeoutSeconds: 60,
  webhook: { delivers: 'result', expiresInSeconds: 7 * 86_400, fallback: 'Nothing was delivered within a week.' },
  async execute({ url }, { callId, webhookUrl }) {
    await post(`${url}/order`, callId, { webhookUrl });
    return { ordered: true };
  },
});

export const handler = serveTool(order, webhookAddress());
