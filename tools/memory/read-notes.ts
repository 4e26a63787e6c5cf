import * as z from 'zod';
import { defineTool } from '../../core/conversations/agent/tool';
import { onlyReadable } from '../../core/conversations/rows/readable';
import { StoredNote } from '../../core/conversations/rows/rows';
import { readKind } from '../../core/conversations/store/table';
import { serveTool } from '../../runtime/serve-tool';

export const readNotes = defineTool({
  name: 'read_notes',
  title: 'Read notes',
  description: 'Lists the notes that you kept for yourself in this conversation. It shows no notes of other agents.',
  input: z.object({}),
  output: z.object({ notes: z.array(StoredNote) }),
  effect: 'read',
  timeoutSeconds: 10,
  async execute(_input, { agent, conversationId, table }) {
    const rows = await readKind(table, conversationId, 'note', `${agent}#`);
    const notes = onlyReadable(StoredNote, rows).sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
    return { notes };
  },
});

export const handler = serveTool(readNotes);
