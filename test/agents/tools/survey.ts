import * as z from 'zod';
import { defineTool } from '../../../core/conversations/agent/tool';
import { serveTool } from '../../../runtime/serve-tool';
import { webhookAddress } from '../../../runtime/webhook-address';
import { post } from './post';

/** Has an open input, which providers do not enforce, and takes only a certain delivery. */
export const survey = defineTool({
  name: 'survey',
  description: 'Asks people elsewhere, and waits for their answer.',
  input: z.object({
    url: z.string().describe('Where'),
    marks: z.record(z.string(), z.int()).describe('The marks that can be given, by name'),
  }),
  output: z.object({ sent: z.boolean() }),
  strict: false,
  effect: 'idempotent',
  source: 'none',
  timeoutSeconds: 60,
  webhook: {
    delivers: 'result',
    accepts: z.object({ best: z.string() }),
    expiresInSeconds: 7 * 86_400,
    fallback: 'Nobody answered within a week.',
  },
  async execute({ url }, { callId, webhookUrl }) {
    await post(`${url}/survey`, callId, { webhookUrl });
    return { sent: true };
  },
});

export const handler = serveTool(survey, webhookAddress());
