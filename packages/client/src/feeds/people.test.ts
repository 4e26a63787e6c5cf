import { answering, clientOfSockets, Socket, settle } from '../../../../test/support/page/answering';
import { message, summary } from '../../../../test/support/page/rows';
import { mergeReads, typists } from './people';

const { requests, answers } = answering();

const conversationId = 'a';
const page = (more: object) => ({
  ...summary('a'),
  messages: [message(1)],
  calls: [],
  callbacks: [],
  timers: [],
  more: false,
  usage: {},
  ...more,
});
const shared = { owner: 'ada', members: [{ member: 'user:ben', role: 'member' }] };

async function followed(more: object) {
  answers['GET /conversations/a?after=0'] = page(more);
  const client = clientOfSockets();
  const feed = client.conversation('a');
  const leave = feed.subscribe(() => undefined);
  await settle();
  Socket.latest().says({ type: 'subscribed', conversationId });
  await settle();
  return { feed, leave, people: () => feed.getSnapshot().people };
}

test('who is here and who types comes from the connection, and ends with it; a typist is forgotten after five seconds (R226)', async () => {
  const { leave, people } = await followed(shared);
  Socket.latest().says({ type: 'here', conversationId, users: ['ada', 'ben'] });
  Socket.latest().says({ type: 'typing', conversationId, user: 'ben' });
  expect(people()).toMatchObject({ here: ['ada', 'ben'], typing: ['ben'] });
  await jest.advanceTimersByTimeAsync(4_000);
  Socket.latest().says({ type: 'typing', conversationId, user: 'ben' });
  await jest.advanceTimersByTimeAsync(4_000);
  expect(people().typing).toEqual(['ben']);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(people().typing).toEqual([]);
  Socket.latest().says({ type: 'typing', conversationId, user: 'ben' });
  // Their message has come.
  const row = { ...message(2), author: 'ben' };
  Socket.latest().says({ type: 'rows', conversationId, rows: [{ kind: 'message', row }] });
  expect(people().typing).toEqual([]);
  leave();
  expect(people().here).toEqual([]);
});

test('typing is said once in three seconds, and at once for the next message (R226)', async () => {
  const { feed, leave } = await followed(shared);
  Socket.latest().take();
  const said = () =>
    Socket.latest()
      .take()
      .filter((one) => (one as { action: string }).action === 'typing').length;
  for (let key = 0; key < 5; key++) feed.typing();
  expect(said()).toBe(1);
  answers['POST /conversations/a/messages'] = message(2);
  await feed.send('Hello');
  feed.typing();
  expect(said()).toBe(1);
  leave();
  const { typed } = typists(() => undefined);
  // What was not said is said with the next key.
  const say = jest.fn().mockReturnValueOnce(false).mockReturnValue(true);
  for (const now of [0, 10, 20, 3_010]) typed(say, now);
  expect(say).toHaveBeenCalledTimes(3);
});

test('a read mark is sent once for each message, and only in a conversation of several people (R226)', async () => {
  const marks = () => requests.filter((line) => line.startsWith('PUT /conversations/a/read')).length;
  answers['PUT /conversations/a/read'] = {};
  const alone = await followed({});
  alone.feed.markRead(1);
  await settle();
  expect(marks()).toBe(0);
  alone.leave();
  const { feed, leave, people } = await followed({ ...shared, reads: [{ user: 'ben', seq: 1, name: 'Ben' }] });
  for (const seq of [1, 1, 0]) feed.markRead(seq);
  await settle();
  expect(marks()).toBe(1);
  Socket.latest().says({ type: 'read', conversationId, user: 'ben', seq: 3 });
  Socket.latest().says({ type: 'read', conversationId, user: 'ben', seq: 2 });
  expect([...people().reads.values()]).toEqual([{ user: 'ben', seq: 3, name: undefined }]);
  answers['PUT /conversations/a/read'] = 503;
  feed.markRead(2);
  await settle();
  feed.markRead(2);
  await settle();
  expect(marks()).toBe(3);
  leave();
  // Who has taken it over is in it, and not a member otherwise.
  const taken = await followed({ owner: 'ada', takenBy: { user: 'ben', callbackId: 'c' } });
  taken.feed.markRead(3);
  await settle();
  expect(marks()).toBe(4);
  taken.leave();
});

test('marks that tell nothing new leave all as it is', () => {
  const reads = new Map([['ben', { user: 'ben', seq: 3, name: 'Ben' }]]);
  expect(mergeReads(reads, [{ user: 'ben', seq: 3 }])).toBe(reads);
  expect(mergeReads(reads, [{ user: 'ada', seq: 0 }]).size).toBe(2);
});
