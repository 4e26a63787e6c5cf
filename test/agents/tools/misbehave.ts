import * as z from 'zod';
import { ConfigurationError, TellModel, ToolTerminal } from '../../../core/base/text/errors';
import { defineTool } from '../../../core/conversations/agent/tool';
import { serveTool } from '../../../runtime/serve-tool';

const ways = [
  'throw',
  'throw twice',
  'tell',
  'terminal',
  'terminal once',
  'configuration',
  'wrong result',
  'slow',
  'none',
] as const;

/** Fails in the requested way. */
export const misbehave = defineTool({
  name: 'misbehave',
  description: 'Fails.',
  input: z.object({ way: z.enum(ways).describe('How') }),
  output: z.object({ attempt: z.number() }),
  effect: 'read',
  timeoutSeconds: 60,
  retry: { maxAttempts: 2, intervalSeconds: 5, backoffRate: 3, maxDelaySeconds: 60 },
  async execute({ way }, { attempt }) {
    if (way === 'throw' || (way === 'throw twice' && attempt <= 2))
      throw new Error(`Out of order, attempt ${attempt}.`);
    if (way === 'tell') throw new TellModel('The page does not exist (404).');
    if (way === 'terminal' || (way === 'terminal once' && attempt === 1))
      throw new ToolTerminal('This account is closed for good.');
    if (way === 'configuration') throw new ConfigurationError('The secret for this tool is empty.');
    if (way === 'slow') await new Promise((resolve) => setTimeout(resolve, 1_000));
    return way === 'wrong result' ? ({ attempt: 'first' } as never) : { attempt };
  },
});

export const handler = serveTool(misbehave);
