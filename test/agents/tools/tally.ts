import * as z from 'zod';
import { TellModel } from '../../../core/base/text/errors';
import { tableEffect } from '../../../core/conversations/agent/table-effect';
import { defineTool } from '../../../core/conversations/agent/tool';
import { fileInput, fileOutput } from '../../../core/conversations/files/tool-files';
import { serveTool } from '../../../runtime/serve-tool';

/** Adds up the numbers in files and writes the sum to a file. A person approves the sum, so no other one is written. */
export const tally = defineTool({
  name: 'tally',
  description: 'Adds up the numbers in files and writes their sum to a file.',
  input: z.object({
    files: z.array(fileInput('A file with numbers')).min(1).describe('Files with numbers'),
    total: z.int().describe('Their sum'),
  }),
  output: z.object({ sheet: fileOutput }),
  effect: 'table',
  source: 'file',
  needs: { files: true },
  approval: { when: () => true, prompt: 'Write a sheet of {total}?' },
  async execute({ files: ids, total }, { callId, files }) {
    const texts = await Promise.all(ids.map(async (id) => Buffer.from((await files.read(id)).bytes).toString()));
    const numbers = texts.flatMap((text) => text.match(/\d+/g) ?? []).map(Number);
    const sum = numbers.reduce((all, one) => all + one, 0);
    if (sum !== total) throw new TellModel(`The sum is ${sum}, not ${total}.`);
    const bytes = Buffer.from(`Total\r\n${sum}\r\n`);
    const sheet = await files.write({ bytes, mediaType: 'text/csv', filename: 'total.csv' });
    return tableEffect({ output: { sheet }, rows: [{ sk: `TALLY#${callId}`, put: { sum }, onlyIf: 'absent' }] });
  },
});

export const handler = serveTool(tally);
