import { addMember } from '../../../test/support/add-member';
import { tableOfTests } from '../../../test/support/tables/table';
import { viewConversation } from '../../people/views/view';
import { type SentMessage, sendMessage } from '../conversation/send-message';
import { removeMember } from '../members/members';
import { createConversation } from './conversation';

// An accepted message is kept: its client's id belongs to its sender, and a repeated request gets the first answer, whatever has changed since.

const now = new Date('2027-03-01T08:00:00Z');
const table = tableOfTests();
const agents = new Map();
let serial = 0;

async function shared(more: object = {}): Promise<string> {
  const id = `o${++serial}`;
  await createConversation(table, { id, user: 'ada', agent: 'tester', text: 'Hello', ...more }, now);
  await addMember(table, { conversationId: id, by: 'ada' }, 'user:ben', { role: 'member' });
  return id;
}
const say = async (id: string, user: string, text: string, more: Partial<SentMessage> = {}) =>
  (await sendMessage(table, agents, id, { user, text, clientMessageId: 'm1', ...more }, now)).message;
const textsOf = async (id: string) => (await viewConversation(table, id, 'ada')).messages.map(({ text }) => text);

test('two people whose clients use the same id are both heard (R268)', async () => {
  const id = await shared();
  await say(id, 'ada', 'I am Ada.');
  expect((await say(id, 'ben', 'Please do not pay.')).text).toBe('Please do not pay.');
  expect(await textsOf(id)).toEqual(['Hello', 'I am Ada.', 'Please do not pay.']);
});

test('no user’s id and client’s id have the key of another pair (R268)', async () => {
  const id = await shared();
  await addMember(table, { conversationId: id, by: 'ada' }, 'user:b#c', { role: 'member' });
  await addMember(table, { conversationId: id, by: 'ada' }, 'user:b', { role: 'member' });
  await say(id, 'b#c', 'One', { clientMessageId: 'd' });
  expect((await say(id, 'b', 'Other', { clientMessageId: 'c#d' })).text).toBe('Other');
});

test.each<[string, Partial<SentMessage>]>([
  ['other words', { text: 'No' }],
  ['other parts', { parts: [{ type: 'text', text: 'Yes' }] }],
  ['words for people only', { aside: true }],
])('the same id with %s is refused, and the first message stays (R268)', async (_, more) => {
  const id = await shared();
  await say(id, 'ada', 'Yes');
  await expect(say(id, 'ada', 'Yes', more)).rejects.toMatchObject({
    name: 'WrongState',
    message: expect.stringContaining('m1'),
  });
  expect(await textsOf(id)).toEqual(['Hello', 'Yes']);
});

test('a conversation that began with other words is not returned as if it had these (R268)', async () => {
  const begin = (text: string, more: object = {}) =>
    createConversation(table, { id: 'begun', user: 'ada', agent: 'tester', text, ...more }, now);
  await begin('Pay the rent', { clientMessageId: 'm1' });
  expect((await begin('Pay the rent', { clientMessageId: 'm1' })).created).toBe(false);
  await expect(begin('Do not pay', { clientMessageId: 'm1' })).rejects.toMatchObject({ name: 'WrongState' });
  // Without an id of the message, the conversation's own id is all that is compared.
  expect((await begin('Do not pay')).created).toBe(false);
});

test('a repeat gets the first answer after somebody it mentions was removed (R268)', async () => {
  const id = await shared();
  const first = await say(id, 'ada', 'Look, Ben.', { mentions: ['ben'] });
  await removeMember(table, { conversationId: id, by: 'ada' }, 'user:ben', now);
  expect(await say(id, 'ada', 'Look, Ben.', { mentions: ['ben'] })).toEqual(first);
});

test('a repeat of the last message that fits gets its first answer (R268)', async () => {
  const id = await shared();
  for (let n = 1; n < 300; n++) await say(id, 'ada', `Word ${n}`, { clientMessageId: `n${n}` });
  await expect(say(id, 'ada', 'One more', { clientMessageId: 'n300' })).rejects.toMatchObject({ name: 'WrongState' });
  expect((await say(id, 'ada', 'Word 299', { clientMessageId: 'n299' })).text).toBe('Word 299');
});

test('who was removed does not read their message back by repeating it (R268)', async () => {
  const id = await shared();
  await say(id, 'ben', 'Mine');
  await removeMember(table, { conversationId: id, by: 'ada' }, 'user:ben', now);
  await expect(say(id, 'ben', 'Mine')).rejects.toMatchObject({ name: 'NotFound' });
});
