import { amendable } from 'vigil-client/shared';
import * as z from 'zod';
import { TellModel } from '../../core/base/text/errors';
import { tableEffect } from '../../core/conversations/agent/table-effect';
import { defineTool } from '../../core/conversations/agent/tool';
import { key } from '../../core/conversations/rows/keys';
import { StoredMessage } from '../../core/conversations/rows/rows';
import { changeOf } from '../../core/conversations/store/change-conversation';
import { readMeta, readRows, type Table } from '../../core/conversations/store/table';
import type { RowWrite } from '../../core/conversations/store/write';
import { serveTool } from '../../runtime/serve-tool';

/**
 * Finds the message that an agent may amend: its own last one. Messages further back have been read and acted on. Messages of people and of other agents never change. A person
 * who wants to change their own sends another message or forks the conversation.
 *
 * @returns the message's number and the rows that amend it; undefined if there is none. The count in META makes processes
 *   that cache the log read it again.
 */
async function ownMessageToAmend(
  table: Table,
  conversationId: string,
  by: { agent: string; runId: string; callId: string },
  text: string,
): Promise<{ seq: number; rows: RowWrite[] } | undefined> {
  const meta = (await readMeta(table, conversationId))!;
  const rows = await readRows(table, conversationId, key.message(Math.max(0, meta.lastSeq - amendable)), 'M#~');
  const step = Number(by.callId.split('.')[1]);
  const own = rows
    .map((row) => StoredMessage.parse(row))
    .filter(
      ({ role, author, status, callId }) =>
        role === 'assistant' && author === by.agent && status === 'complete' && !callId,
    )
    // Not the message whose reply makes this call.
    .findLast((message) => message.text.trim() && !(message.runId === by.runId && message.step === step));
  if (!own) return undefined;
  const { seq, version } = own;
  const amended: RowWrite = { sk: key.message(seq), set: { text, amended: true }, onlyIf: { version } };
  return { seq, rows: [amended, changeOf(meta, { ...meta, amendments: (meta.amendments ?? 0) + 1 })] };
}

export const amendMessage = defineTool({
  name: 'amend_message',
  title: 'Change a message',
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
