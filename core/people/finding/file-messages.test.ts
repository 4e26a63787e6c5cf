import { digestOf, memoryFileStore } from '../../../test/support/memory-file-store';
import { segmentOf } from '../../../test/support/segment-of';
import { askingIn, deployment } from '../../../test/support/stories/asking';
import { scriptedLoop } from '../../../test/support/stories/scripted-step';
import { testAgent } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import type { FilePart } from '../../base/content/parts';
import type { LoopInput } from '../../base/state/loop-state';
import { registry } from '../../conversations/agent/registry';
import { sendMessage } from '../../conversations/conversation/send-message';
import { summaryRequest } from '../../conversations/decisions/summary';
import { transcript } from '../../conversations/decisions/transcript';
import { readFileRow, storedFile } from '../../conversations/files/stored-file';
import { callFiles } from '../../conversations/files/tool-files';
import { beginUpload, completeUpload } from '../../conversations/files/upload';
import { key } from '../../conversations/rows/keys';
import { metaRow } from '../../conversations/rows/meta';
import type { StoredMessage } from '../../conversations/rows/rows';
import { createConversation, emptyMeta } from '../../conversations/runs/conversation';
import { readLog } from '../../conversations/runs/log';
import { readMeta, write } from '../../conversations/store/table';
import { advance } from '../../machines/loop/advance';
import { searchMessages } from './search';

// A message may consist of files alone. Every room that reads messages finds them.

const now = new Date('2027-03-01T08:00:00.000Z');
const most = { file: 1_000, day: 10_000, all: 10_000, count: 100 };
const table = tableOfTests();
const store = memoryFileStore();

async function uploaded(user: string, text: string): Promise<string> {
  const announced = { size: text.length, mediaType: 'text/plain', sha256: digestOf(Buffer.from(text)) };
  const row = await beginUpload({ table, store }, user, announced, most, now);
  await store.write(storedFile(row), Buffer.from(text));
  return (await completeUpload({ table, store, typeOf: async (_, said) => said }, user, row.id, now)).id;
}
const fileOf = (id: string, filename?: string) => ({ type: 'file' as const, id, filename });

test('the title and the search have the names of files (R210)', async () => {
  const parts = [fileOf(await uploaded('fay', 'one'), 'Müller receipt.pdf'), fileOf(await uploaded('fay', 'two'))];
  await createConversation(table, { id: 'only-files', user: 'fay', agent: 'tester', text: '', parts }, now);
  expect((await readMeta(table, 'only-files'))!.title).toBe('Müller receipt.pdf, a file');
  const { found } = await searchMessages(table, 'fay', 'MÜLLER receipt');
  expect(found).toMatchObject([
    {
      seq: 1,
      excerpt: [{ text: 'Müller', hit: true }, { text: ' ' }, { text: 'receipt', hit: true }, { text: '.pdf' }],
    },
  ]);
  expect(found[0]).not.toHaveProperty('parts');
  expect((await searchMessages(table, 'fay', 'f_')).found).toEqual([]);
});

test('an answer to a question brings its files to the model, as the result of the call (R210)', async () => {
  const { id, call } = await askingIn(table, now)(['ask']);
  const file = fileOf(await uploaded('ada', 'a map'), 'map.txt');
  const said = { user: 'ada', text: 'Here', parts: [{ type: 'text' as const, text: 'Here' }, file] };
  await sendMessage(table, deployment.agents, id, said, now);
  const stored = { ...file, mediaType: 'text/plain', size: 5, sources: ['file'] };
  expect((await call()).result).toEqual({ answer: 'Here', files: [stored] });
  const { messages, calls } = await readLog(table, id);
  expect(transcript(messages, calls, { before: 99 }).at(-1)).toMatchObject({ kind: 'result', files: [stored] });
});

test('a summary’s request names the files that it covers, and their ids stay behind it (R210)', () => {
  const file: FilePart = {
    type: 'file',
    id: `f_${'a'.repeat(43)}`,
    mediaType: 'image/png',
    size: 7,
    filename: 'a "b".png',
  };
  const message = (seq: number, role: 'user' | 'assistant', text: string, more: Partial<StoredMessage> = {}) =>
    ({ seq, version: 1, role, author: role, text, status: 'complete', createdAt: '', ...more }) as StoredMessage;
  const said = [
    message(1, 'user', '', { parts: [file] }),
    ...Array.from({ length: 12 }, (_, at) => message(2 + at, 'assistant', 'x'.repeat(300))),
  ];
  const agent = testAgent('a', { contextTokens: 1_000 });
  const { covers, items } = summaryRequest(agent, { messages: said, calls: [] }, { before: 14 })!;
  expect(items[0]).toMatchObject({ text: expect.stringContaining(file.id) });
  const summary = message(14, 'assistant', 'A picture was sent.', { role: 'system', covers });
  const [first] = transcript([...said, summary], [], { before: 15 });
  expect(first).toMatchObject({
    text: expect.stringMatching(
      /A picture was sent\.\nIts files can still be read by their ids:\n\[File f_a{43}: "a \\"b\\"\.png", /,
    ),
  });
  expect(first).not.toHaveProperty('files');
});

test('a sub-agent reads the files that its task names, and no others of the conversation that gave it (R210)', async () => {
  const [named, other] = [await uploaded('tia', 'named'), await uploaded('tia', 'other')];
  const parts = [fileOf(named), fileOf(other)];
  await createConversation(table, { id: 'parent', user: 'tia', agent: 'tester', text: '', parts }, now);
  const child = {
    ...emptyMeta({ id: 'child', user: 'tia', agent: 'tester', now }),
    parent: { conversationId: 'parent', callbackId: 'r.0001.00', depth: 1 },
  };
  const task = { seq: 1, version: 1, role: 'user', author: 'tester', text: `Read ${named}.`, status: 'pending' };
  await write(table, 'child', [
    { sk: key.meta, put: metaRow(child) },
    { sk: key.message(1), put: { ...task, createdAt: now.toISOString() } },
  ]);
  const files = callFiles(store, { table, conversationId: 'child', user: 'tia', most, now });
  expect(Buffer.from((await files.read(named)).bytes).toString()).toBe('named');
  expect((await readFileRow(table, 'tia', named))!.in).toEqual(['parent', 'child']);
  await expect(files.read(other)).rejects.toThrow(`The conversation has no file ${other}. Use an id that this`);
  // A task of somebody else's conversation opens nothing.
  const strange = await uploaded('eve', 'strange');
  await expect(files.read(strange)).rejects.toThrow('The conversation has no file');
});

test('what is recalled for a message without words is asked for by the names of its files (R210)', async () => {
  const asked: string[] = [];
  const agent = testAgent('tester', { recall: true });
  const play = async (id: string, filename?: string) => {
    const parts = [fileOf(await uploaded('rex', id), filename)];
    const { meta } = await createConversation(table, { id, user: 'rex', agent: 'tester', text: '', parts }, now);
    const recall = async (_: string, words: string) => void asked.push(words);
    const loop = scriptedLoop({ table, registry: registry([agent]), now: () => now, recall }, () => ({
      text: 'Seen.',
      toolCalls: [],
    }));
    await advance(loop, segmentOf(meta)!.input as LoopInput);
  };
  await play('recalled', 'Lease.pdf');
  await play('unnamed');
  expect(asked).toEqual(['Lease.pdf', 'a file']);
});
