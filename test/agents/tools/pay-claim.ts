import * as z from 'zod';
import { defineTool } from '../../../core/conversations/agent/tool';
import { serveTool } from '../../../runtime/serve-tool';

/** What two of finance approve, and then a controller, or after a day a chief. */
export const payClaim = defineTool({
  name: 'pay_claim',
  description: 'Pays a claim.',
  input: z.object({ cents: z.number().int().positive().describe('How much') }),
  output: z.object({ paid: z.number() }),
  effect: 'idempotent',
  approval: {
    when: () => true,
    prompt: 'Pay this claim?',
    approvers: [
      { by: { group: 'finance' }, count: 2 },
      { by: { group: 'controllers' }, escalation: { afterSeconds: 86_400, to: { group: 'chiefs' } } },
    ],
    excludesOwner: true,
    reminders: { everySeconds: 8 * 3_600, atMost: 2 },
  },
  execute: async ({ cents }) => ({ paid: cents }),
});

export const handler = serveTool(payClaim);
