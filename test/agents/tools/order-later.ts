import * as z from 'zod';
import { defineTool } from '../../../core/conversations/agent/tool';
import { serveTool } from '../../../runtime/serve-tool';
import { webhookAddress } from '../../../runtime/webhook-address';
import { post } from './post';

/** Starts something elsewhere and returns at once. The delivery comes into the conversation later. */
export const orderLater = defineTool({
  name: 'order_later',
  description: 'Orders, and does not wait.',
  input: z.object({ url: z.string().describe('Where') }),
  output: z.object({ processing: z.boolean() }),
  effect: 'idempotent',
  source: 'none',
  timeoutSeconds: 60,
  webhook: { delivers: 'message', expiresInSeconds: 7 * 86_400, fallback: 'Nothing was delivered within a week.' },
  async execute({ url }, { callId, webhookUrl }) {
    await post(`${url}/order`, callId, { webhookUrl });
    return { processing: true };
  },
});

export const handler = serveTool(orderLater, webhookAddress());
