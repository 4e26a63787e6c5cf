import * as z from 'zod';
import type { ReadOnTool } from './tool';
import { checkedTool } from './tool-checks';

/** The tool that agents have in a conversation with something long. It is no function: the call is answered by the words that the next step reads. */
export const readResult: ReadOnTool = checkedTool({
  kind: 'read',
  name: 'read_result',
  title: 'Read on',
  description:
    'Reads more of a long result or file, of which you have got a part. A line at that part names the id, and the character from which to read on.',
  input: z.object({
    id: z.string().max(100).describe('The id of the call or of the file, as the line names it'),
    from: z.number().int().min(1).describe('The first character to read, counted from 1'),
  }),
});
