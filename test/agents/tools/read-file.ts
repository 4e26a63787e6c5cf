import * as z from 'zod';
import { defineTool } from '../../../core/conversations/agent/tool';
import { fileInput, fileOutput } from '../../../core/conversations/files/tool-files';
import { serveTool } from '../../../runtime/serve-tool';

/** Tells its agent all that is in a file, also what a person does not see in it, or makes a table of it. */
export const readFile = defineTool({
  name: 'read_file',
  description: 'Reads the text in a file, whatever its type, or copies it into a table without telling it.',
  input: z.object({ file: fileInput('The file'), copy: z.boolean().describe('Whether it makes a table') }),
  output: z.object({ text: z.string().optional(), table: fileOutput.optional() }),
  effect: 'idempotent',
  source: 'file',
  afterUntrusted: () => 'allow',
  needs: { files: true },
  async execute({ file, copy }, { files }) {
    const text = Buffer.from((await files.read(file)).bytes).toString();
    if (!copy) return { text };
    return { table: await files.write({ bytes: tableOf(text), mediaType: 'text/csv', filename: 'words.csv' }) };
  },
});

export const tableOf = (text: string): Buffer => Buffer.from(`Words\r\n"${text.replaceAll('"', '""')}"\r\n`);

export const handler = serveTool(readFile);
