import * as z from 'zod';
import { tableEffect } from '../../core/conversations/agent/table-effect';
import { defineTool } from '../../core/conversations/agent/tool';
import { key } from '../../core/conversations/rows/keys';
import { serveTool } from '../../runtime/serve-tool';

export const noteDown = defineTool({
  name: 'note_down',
  title: 'Take a note',
  description:
    'Keeps a note for yourself in this conversation. Neither the user nor another agent reads it. Read it again with `read_notes`.',
  input: z.object({ note: z.string().min(1).max(4_000).describe('What you will want to know later') }),
  output: z.object({ noted: z.boolean() }),
  effect: 'table',
  // The note stays in this conversation, whose transcript has the words anyway.
  afterUntrusted: () => 'allow',
  timeoutSeconds: 10,
  async execute({ note }, { agent, callId, now }) {
    const put = { note, createdAt: now.toISOString() };
    return tableEffect({ output: { noted: true }, rows: [{ sk: key.note(agent, callId), put, onlyIf: 'absent' }] });
  },
});

export const handler = serveTool(noteDown);
