import * as z from 'zod';
import { defineTool } from '../../../core/conversations/agent/tool';
import { serveTool } from '../../../runtime/serve-tool';

/** Returns as many kilobytes as requested. */
export const largeResult = defineTool({
  name: 'large_result',
  description: 'Answers at length.',
  input: z.object({ kilobytes: z.number().int().describe('How long') }),
  output: z.string(),
  effect: 'read',
  execute: async ({ kilobytes }) =>
    'lorem ipsum '.repeat(Math.ceil((kilobytes * 1_000) / 12)).slice(0, kilobytes * 1_000),
});

export const handler = serveTool(largeResult);
