import { tableOfTests } from '../../../test/support/tables/table';
import { todosIn } from '../../../test/support/tables/todos';
import { listConversations } from '../../people/views/list';
import { viewConversation } from '../../people/views/view';
import { sendMessage } from '../conversation/send-message';
import { readMeta } from '../store/table';
import { childRows, createConversation } from './conversation';
import { readSettings } from './user-settings';

const agents = new Map();
const now = new Date('2026-03-01T08:00:00Z');
const start = (id: string, user = 'ada', text?: string) => ({ id, user, agent: 'reminder', text });

const cursorOf = (pk: string, updatedAt: string) =>
  Buffer.from(JSON.stringify(['open', pk, updatedAt])).toString('base64url');

describe('a conversation in the table', () => {
  const table = tableOfTests();

  test('twenty starts with one id at once make one conversation and one run (R25)', async () => {
    const starts = await Promise.all(
      Array.from({ length: 20 }, () => createConversation(table, start('same', 'ada', 'Hello'), now)),
    );
    expect(starts.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(starts.map(({ meta }) => meta.run?.id)).size).toBe(1);
    expect((await viewConversation(table, 'same', 'ada')).messages).toHaveLength(1);
  });

  test('twenty messages at once keep one order, start one run, and none is lost (R59)', async () => {
    await createConversation(table, start('busy'), now);
    const texts = Array.from({ length: 20 }, (_, index) => `message ${index}`);
    const appended = await Promise.all(
      texts.map((text) => sendMessage(table, agents, 'busy', { user: 'ada', text }, now)),
    );
    const { messages, run } = await viewConversation(table, 'busy', 'ada');
    expect(messages.map(({ seq }) => seq)).toEqual(texts.map((_, index) => index + 1));
    expect(messages.map(({ text }) => text).sort()).toEqual([...texts].sort());
    expect(new Set(appended.map(({ meta }) => meta.run?.id))).toEqual(new Set([run!.id]));
  });

  test('a message that is sent twice with one clientMessageId is stored once (R76)', async () => {
    await createConversation(table, start('twice'), now);
    const said = { user: 'ada', text: 'Once, please', clientMessageId: 'm1' };
    const sent = await Promise.all([1, 2, 3].map(() => sendMessage(table, agents, 'twice', said, now)));
    expect(new Set(sent.map(({ message }) => message.seq))).toEqual(new Set([1]));
    expect((await viewConversation(table, 'twice', 'ada')).messages).toHaveLength(1);
  });

  test('the last message says where a user is; new conversations and sub-agents begin there (R153)', async () => {
    const berlin = { timeZone: 'Europe/Berlin', language: 'de' };
    await createConversation(table, { ...start('there', 'kim', 'Hallo'), locale: berlin }, now);
    expect((await createConversation(table, start('next', 'kim'), now)).meta).toMatchObject(berlin);
    const moved = { user: 'kim', text: 'Landed', locale: { timeZone: 'Asia/Tokyo' } };
    const { meta } = await sendMessage(table, agents, 'there', moved, now);
    expect(meta).toMatchObject({ timeZone: 'Asia/Tokyo', language: 'de' });
    expect(await readSettings(table, 'kim')).toEqual({ timeZone: 'Asia/Tokyo', language: 'de' });
    // Another conversation stays where its last message came from.
    expect(await readMeta(table, 'next')).toMatchObject(berlin);
    const child = { conversationId: 'child', agent: 'helper', task: 'Look', callbackId: 'k' };
    expect(childRows(meta, child, 'reminder', now)).toContainEqual(
      expect.objectContaining({ sk: 'META', put: expect.objectContaining({ timeZone: 'Asia/Tokyo', language: 'de' }) }),
    );
    expect(await readSettings(table, 'nobody')).toEqual({});
  });

  test.each([
    ['is no JSON', 'nonsense'],
    ['names nothing', cursorOf('', '')],
    ['names a key that is longer than any', cursorOf(`C#${'x'.repeat(3_000)}`, now.toISOString())],
    ['names a key of something else', cursorOf('U#lin', now.toISOString())],
    ['names no time', cursorOf('C#l1', 'yesterday')],
  ])('a cursor that %s is refused before the table is asked', async (_what, cursor) => {
    await expect(listConversations(table, 'lin', cursor)).rejects.toMatchObject({
      name: 'InvalidInput',
      path: 'cursor',
    });
  });

  test('a message to a conversation at rest claims a run in the same transaction, and says that it is to be started', async () => {
    await createConversation(table, start('rest'), now);
    expect(await todosIn(table, 'rest')).toEqual([]);
    await sendMessage(table, agents, 'rest', { user: 'ada', text: 'Go' }, now);
    expect(await readMeta(table, 'rest')).toMatchObject({
      status: 'running',
      pending: [1],
      run: { segment: 1, step: 0 },
    });
    expect(await todosIn(table, 'rest')).toMatchObject([{ does: 'start', segment: 1, step: 0 }]);
  });
});
