import * as z from 'zod';
import { memoryFileStore } from '../../../test/support/memory-file-store';
import { stepsIn, testTool } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { runTool } from '../../machines/loop/run-tool';
import { defineAgent } from '../agent/agent';
import { callIdOf, readCall } from '../calls/call';
import { deleteConversation } from '../conversation/delete';
import { forkConversation } from '../conversation/fork';
import { transcript } from '../decisions/transcript';
import { readLog } from '../runs/log';
import { readFileRow } from './stored-file';
import { callFiles, fileInput, fileOutput, withStoredFiles } from './tool-files';

const table = tableOfTests();
const store = memoryFileStore();
const most = { file: 100, day: 1_000, all: 5_000, count: 100 };
const now = new Date('2027-03-01T08:00:00.000Z');

/** How often it is broken off after it has written. */
let breaks = 0;
const draw = testTool('draw', {
  effect: 'idempotent',
  source: 'web',
  needs: { files: true },
  input: z.object({ words: z.string().describe('w'), from: fileInput('The source').optional().describe('The source') }),
  output: z.object({ chart: fileOutput, read: z.string().optional() }),
  async execute({ words, from }, { files }) {
    const chart = await files.write({ bytes: Buffer.from(words), mediaType: 'text/csv', filename: 'chart.csv' });
    if (breaks-- > 0) throw new Error('broken off');
    const { bytes } = from ? await files.read(from) : {};
    return { chart, ...(bytes && { read: Buffer.from(bytes).toString() }) };
  },
});
const agent = defineAgent({ name: 'tester', purpose: 'p', instructions: 'i', model: 'm', tools: [draw] });
const steps = stepsIn(table, now, agent);

async function called(args: object, files: Parameters<typeof runTool>[0]['files'] = { store, most }) {
  const { id, at } = await steps.given();
  const toolCalls = [{ id: 'c0', name: 'draw', arguments: JSON.stringify(args) }];
  await steps.commit(at, await steps.begin(at), { text: '', toolCalls });
  const callId = callIdOf(at.runId, 1, 0);
  const run = () => runTool({ table, now: () => now, files }, draw, { conversationId: id, callId, runId: '' });
  return { id, run, call: async () => (await readCall(table, id, callId))! };
}
type Result = { chart: { id: string }; read?: string };

describe('a tool’s files (R213, R214)', () => {
  test('are stored, referred to with the result, and read by their id', async () => {
    const first = await called({ words: 'a,1' });
    await first.run();
    const { result, status } = await first.call();
    expect(status).toBe('completed');
    const { chart } = result as Result;
    expect(chart).toEqual({
      type: 'file',
      id: expect.stringMatching(/^f_/),
      mediaType: 'text/csv',
      filename: 'chart.csv',
      size: 3,
      sources: ['web'],
    });
    const row = (await readFileRow(table, 'ada', chart.id))!;
    expect(row).toMatchObject({ in: [first.id], storedAt: now.toISOString() });
    expect(row.unusedSince).toBeUndefined();
    const { messages, calls } = await readLog(table, first.id);
    expect(transcript(messages, calls, { before: 99 }).at(-1)).toMatchObject({
      kind: 'result',
      files: [{ id: chart.id }],
    });
  });

  test('are one file when an attempt is repeated', async () => {
    const { id, run, call } = await called({ words: 'again' });
    breaks = 1;
    await expect(run()).rejects.toMatchObject({ name: 'ToolFailed' });
    await run();
    const { chart } = (await call()).result as Result;
    expect((await readFileRow(table, 'ada', chart.id))!.in).toEqual([id]);
    expect([...store.objects.keys()].filter((key) => key.includes(chart.id))).toHaveLength(1);
  });

  test('of another conversation are not opened by an id that a model or a stranger says', async () => {
    const other = await called({ words: 'secret' });
    await other.run();
    const { chart } = (await other.call()).result as Result;
    const { run, call } = await called({ words: 'x', from: chart.id });
    await run();
    expect(await call()).toMatchObject({
      status: 'failed',
      error: expect.stringContaining(`The conversation has no file ${chart.id}.`),
    });
  });

  test('go with a fork, and end with the last conversation that has them', async () => {
    const { id, run, call } = await called({ words: 'kept' });
    await run();
    const { chart } = (await call()).result as Result;
    const at = { ...(await steps.given()).at, conversationId: id, runId: (await call()).runId, step: 2 };
    await steps.commit(at, await steps.begin(at), { text: 'Done.', toolCalls: [] });
    await forkConversation(table, { from: id, id: `${id}-fork`, user: 'ada', step: 2 }, now);
    expect((await readFileRow(table, 'ada', chart.id))!.in).toEqual([id, `${id}-fork`]);
    for (const one of [id, `${id}-fork`]) await deleteConversation(table, new Map(), one, 'ada', now);
    expect(await readFileRow(table, 'ada', chart.id)).toMatchObject({ in: [], unusedSince: now.toISOString() });
  });

  test('that are too large, too many or not declared fail in words', async () => {
    const large = await called({ words: 'x'.repeat(101) });
    await large.run();
    expect((await large.call()).error).toContain('at most 100 are taken');
    const { run, call } = await called(
      { words: 'no room' },
      { store, most: { file: 100, day: 100, all: 0, count: 100 } },
    );
    await run();
    expect((await call()).error).toContain('You have');
    const { tool } = { tool: { ...draw, needs: {} } };
    const undeclared = await called({ words: 'x' });
    const { id } = undeclared;
    const callId = (await undeclared.call()).id;
    await expect(runTool({ table, now: () => now }, tool, { conversationId: id, callId, runId: '' })).rejects.toThrow(
      'tool draw: needs: it works with files: say `needs: { files: true }`',
    );
  });

  test('whose bytes are in a result are stored, wherever they are in it', async () => {
    const data = Buffer.from('1,2').toString('base64');
    const inline = { type: 'file', mediaType: 'text/csv', filename: 'a.csv', data };
    const written: string[] = [];
    const write = async ({ bytes }: { bytes: Uint8Array }) => {
      written.push(Buffer.from(bytes).toString());
      return { type: 'file', id: `f_${'x'.repeat(43)}`, mediaType: 'text/csv', size: 3 } as const;
    };
    const stored = await withStoredFiles({ list: [inline, 1], deep: { inline } }, { write });
    expect(JSON.stringify(stored)).not.toContain(data);
    expect(written).toEqual(['1,2', '1,2']);
    const odd = { type: 'file', mediaType: 'text/csv', data: 'no base64!' };
    expect(await withStoredFiles(odd, { write })).toEqual(odd);
  });

  test('whose bytes are in a result and cannot be stored are notes in their place; a store that is down is an error', async () => {
    const place = { table, conversationId: 'inline', user: 'ada', now, most };
    const typeOf = async () => 'application/pdf';
    const inline = {
      type: 'file',
      mediaType: 'text/csv',
      filename: 'a.csv',
      data: Buffer.from('1,2').toString('base64'),
    };
    const believing = callFiles(store, place);
    expect(await withStoredFiles([inline], believing)).toMatchObject([{ type: 'file', mediaType: 'text/csv' }]);
    const other = { ...inline, data: Buffer.from('3,4').toString('base64') };
    const stored = await withStoredFiles([other], callFiles(store, { ...place, typeOf }));
    expect(z.array(fileOutput).parse(stored)).toMatchObject([{ type: 'file', mediaType: 'application/pdf' }]);
    const large = { ...inline, data: Buffer.alloc(101).toString('base64') };
    expect(JSON.stringify(await withStoredFiles({ large }, believing))).toContain('at most 100 are taken');
    const write = () => Promise.reject(new Error('S3 is down'));
    await expect(withStoredFiles({ inline }, { write })).rejects.toThrow('S3 is down');
  });
});
