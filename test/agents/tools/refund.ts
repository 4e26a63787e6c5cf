import * as z from 'zod';
import { defineTool } from '../../../core/conversations/agent/tool';
import { serveTool } from '../../../runtime/serve-tool';

/** What others decide about, and never the customer who asks for it. */
export const refund = defineTool({
  name: 'refund',
  description: 'Gives money back.',
  input: z.object({ cents: z.number().int().positive().max(100_000).describe('How much') }),
  output: z.object({ refunded: z.number() }),
  effect: 'idempotent',
  approval: {
    when: () => true,
    prompt: 'Give this money back?',
    approvers: { group: 'finance' },
    excludesOwner: true,
    showsMessages: 1,
  },
  execute: async ({ cents }) => ({ refunded: cents }),
});

export const handler = serveTool(refund);
