import { deployment } from '../../../test/support/stories/asking';
import { scriptedLoop } from '../../../test/support/stories/scripted-step';
import { tableOfTests } from '../../../test/support/tables/table';
import { advance } from '../../machines/loop/advance';
import { sendMessage } from '../conversation/send-message';
import { key } from '../rows/keys';
import { createConversation } from '../runs/conversation';
import { readLog } from '../runs/log';
import { readMeta, write } from '../store/table';
import { beginReading, endReading, noteRefusal, refusalBy } from './readings';
import { readFileRow } from './stored-file';

const table = tableOfTests();
const now = new Date('2027-03-01T08:00:00.000Z');
const minutes = (count: number) => new Date(now.getTime() + count * 60_000);
let count = 0;

async function stored() {
  const file = { owner: `reader${++count}`, id: `f_${'a'.repeat(43)}` };
  const put = {
    id: file.id,
    version: 1,
    key: 'files/a',
    mediaType: 'application/pdf',
    size: 9,
    createdAt: now.toISOString(),
    storedAt: now.toISOString(),
    in: ['c_1'],
  };
  await write(table, '', [{ pk: key.filesOf(file.owner), sk: key.file(file.id), put }]);
  return file;
}
const by = (writer: string, step = 'c_1#2') => ({ step, writer });

describe('a document that has ended two readers is not read again (R266)', () => {
  test('by the same step, at once: its third attempt leaves the document out', async () => {
    const file = await stored();
    expect(await beginReading(table, file, by('a'), now)).toBe(true);
    expect(await beginReading(table, file, by('b'), now)).toBe(true);
    expect(await beginReading(table, file, by('c'), now)).toBe(false);
    expect(await beginReading(table, file, by('d', 'c_2#2'), now)).toBe(true);
    expect(await beginReading(table, file, by('e', 'c_3#2'), minutes(16))).toBe(false);
  });

  test('readers side by side, and those that have survived, do not count', async () => {
    const file = await stored();
    for (const other of ['x', 'y', 'z']) expect(await beginReading(table, file, by(other, other), now)).toBe(true);
    expect(await beginReading(table, file, by('a'), minutes(1))).toBe(true);
    for (const writer of ['x', 'y', 'z', 'a']) await endReading(table, file, { writer });
    expect(await readFileRow(table, file.owner, file.id)).not.toHaveProperty('readings');
    expect(await beginReading(table, file, by('b'), minutes(60))).toBe(true);
  });

  test('a note is kept whatever else changes the row, and whose answer is lost counts once', async () => {
    const file = await stored();
    const names = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(names.map((one) => beginReading(table, file, by(one, one), now)));
    await Promise.all(names.map((one) => beginReading(table, file, by(one, one), now)));
    const row = await readFileRow(table, file.owner, file.id);
    expect(row?.readings?.map(({ writer }) => writer).sort()).toEqual(names);
  });

  test('a file that is gone is left to whoever reads its bytes', async () => {
    expect(await beginReading(table, { owner: 'nobody', id: `f_${'b'.repeat(43)}` }, by('a'), now)).toBe(true);
  });

  test('a step leaves it out on its third attempt, and its reply says so', async () => {
    const file = await stored();
    const id = `c_${file.owner}`;
    await createConversation(table, { id, user: file.owner, agent: 'tester', text: 'Read it' }, now);
    const { run } = (await readMeta(table, id))!;
    const input = { conversationId: id, runId: run!.id, segment: 1, step: 0 };
    const part = { type: 'file' as const, id: file.id, filename: 'lease.docx', mediaType: 'application/pdf', size: 9 };
    const attempt = (dies: boolean) =>
      advance(
        scriptedLoop({ table, registry: deployment, now: () => now }, async ({ reading }) => {
          const isRead = await reading!.begin(part);
          if (!isRead) reading!.tell(part, { isRead, words: 'reading it has ended its reader twice' });
          if (dies) throw new Error(`The process has died. ${isRead}`);
          return { text: isRead ? 'Read.' : 'I cannot read it.', toolCalls: [] };
        }),
        input,
      );
    await expect(attempt(true)).rejects.toThrow('died. true');
    await expect(attempt(true)).rejects.toThrow('died. true');
    await attempt(false);
    const { messages } = await readLog(table, id);
    expect(messages.at(-1)).toMatchObject({
      status: 'complete',
      text: 'I cannot read it.\n\n[The file "lease.docx" was left out: reading it has ended its reader twice.]',
    });
  });
});

describe('a file that a model’s provider has refused is known as such (R273)', () => {
  const refusal = { maker: 'own chat m', why: 'It is no picture.', step: 'c_1#2' };

  test('to its maker, for a week; the first refusal counts, and the row stays small', async () => {
    const file = await stored();
    await Promise.all([1, 2, 3].map(() => noteRefusal(table, file, refusal, now)));
    await noteRefusal(table, file, { ...refusal, why: 'Again.', step: 'c_1#3' }, minutes(5));
    const row = async () => (await readFileRow(table, file.owner, file.id))!;
    expect((await row()).refusals).toEqual([{ ...refusal, at: now.toISOString() }]);
    expect(refusalBy(await row(), 'own chat m', minutes(60 * 24 * 7 - 1))).toMatchObject({ why: 'It is no picture.' });
    expect(refusalBy(await row(), 'own chat m', minutes(60 * 24 * 7))).toBeUndefined();
    expect(refusalBy(await row(), 'other', now)).toBeUndefined();
    for (const maker of 'abcdef') await noteRefusal(table, file, { ...refusal, maker }, now);
    expect((await row()).refusals?.map(({ maker }) => maker).join('')).toBe('bcdef');
    await noteRefusal(table, { ...file, id: `f_${'b'.repeat(43)}` }, refusal, now);
  });

  test('and the reply of the step that has found it says so, also if an earlier attempt has died after it', async () => {
    const file = await stored();
    const id = `c_${file.owner}`;
    await createConversation(table, { id, user: file.owner, agent: 'tester', text: 'Look' }, now);
    const asked: (string | undefined)[] = [];
    let dies = true;
    const step = async () => {
      const { run } = (await readMeta(table, id))!;
      return advance(
        scriptedLoop({ table, registry: deployment, now: () => now }, async ({ reading }) => {
          const known = await reading!.refusal(file);
          asked.push(known);
          if (known === undefined) await reading!.refused(file, 'It is no picture.');
          reading!.tell(file, { isRead: false, words: 'it is refused' });
          if (dies) throw new Error('The process has died.');
          return { text: 'I cannot see it.', toolCalls: [] };
        }),
        { conversationId: id, runId: run!.id, segment: 1, step: 0 },
      );
    };
    await expect(step()).rejects.toThrow('The process has died.');
    dies = false;
    await step();
    const { messages } = await readLog(table, id);
    expect(asked).toEqual([undefined, 'It is no picture.']);
    expect(messages.at(-1)?.text).toBe(`I cannot see it.\n\n[The file ${file.id} was left out: it is refused.]`);
    // The next step knows, and its reply is about other things.
    await sendMessage(table, deployment.agents, id, { user: file.owner, text: 'And now?' }, now);
    await step();
    const later = await readLog(table, id);
    expect([asked.at(-1), later.messages.at(-1)?.text]).toEqual(['It is no picture.', 'I cannot see it.']);
  });
});
