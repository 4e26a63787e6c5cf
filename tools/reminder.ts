import * as z from 'zod';
import { tableEffect } from '../core/conversations/agent/table-effect';
import { defineTool } from '../core/conversations/agent/tool';
import { serveTool } from '../runtime/serve-tool';

export const reminder = defineTool({
  name: 'reminder',
  title: 'Send a notification',
  description:
    'Delivers a reminder to the user now, in this conversation and wherever else they get notices. It does not wait: call `schedule` first if it is for later.',
  input: z.object({
    message: z
      .string()
      .min(1)
      .max(2_000)
      .describe('What to remind the user of, in your own words, with any link they gave'),
  }),
  output: z.object({ delivered: z.boolean() }),
  effect: 'idempotent',
  // It reaches the user only.
  afterUntrusted: () => 'allow',
  source: 'none',
  async execute({ message }) {
    return tableEffect({ output: { delivered: true }, messages: [{ role: 'assistant', text: `⏰ ${message}` }] });
  },
});

export const handler = serveTool(reminder);
