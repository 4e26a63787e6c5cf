import * as z from 'zod';
import { tableEffect } from '../../core/agent/table-effect';
import { defineTool } from '../../core/agent/tool';
import { TellModel } from '../../core/text/errors';
import { serveTool } from '../../runtime/serve-tool';
import { ownMessageToAmend } from './own-message';

export const amendMessage = defineTool({
  name: 'amend_message',
  description:
    'Replaces the text of your last message to the user, to correct it; the page shows that it was amended. It cannot change what ' +
    'the user or another agent wrote.',
  input: z.object({ text: z.string().min(1).max(50_000).describe('The whole new text') }),
  output: z.object({ amended: z.number().int().describe('The message’s number') }),
  effect: 'table',
  // It changes the agent's own words to the user only.
  afterUntrusted: () => 'allow',
  timeoutSeconds: 10,
  async execute({ text }, { agent, conversationId, runId, callId, table }) {
    const found = await ownMessageToAmend(table, conversationId, { agent, runId, callId }, text);
    if (!found) throw new TellModel('You have no earlier message here that can be amended.');
    return tableEffect({ output: { amended: found.seq }, rows: found.rows });
  },
});

export const handler = serveTool(amendMessage);
