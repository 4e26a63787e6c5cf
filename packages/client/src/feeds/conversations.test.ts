import { answering, clientOfSockets, promised, Socket, settle } from '../../../../test/support/page/answering';
import { summary } from '../../../../test/support/page/rows';
import type { Conversation, ConversationPage, ConversationSummary } from '../api-types';

const { requests, answers } = answering();

const perPage = 30;

/** A user with this many conversations, last changed first, and the cursors of the requests. */
function given(count: number) {
  const at = (index: number) => new Date(Date.parse('2026-03-31T00:00:00Z') - index * 60_000).toISOString();
  const all = Array.from({ length: count }, (_, index) => summary(`c${index}`, { updatedAt: at(index) }));
  const asked: (string | undefined)[] = [];
  const client = clientOfSockets();
  client.api.list = async (cursor?: string) => {
    asked.push(cursor);
    const from = Number(cursor ?? 0);
    const end = from + perPage;
    return { conversations: all.slice(from, end), cursor: end < all.length ? String(end) : undefined };
  };
  client.api.listShared = async () => ({ conversations: [] });
  const feed = client.conversations;
  return { ...feed, client, all, asked, known: () => [...feed.getSnapshot().byId.keys()] };
}
const idsOf = (all: readonly ConversationSummary[]) => all.map(({ id }) => id);

test('the start takes one request, however many there are; older ones are read on request, and again later (R162)', async () => {
  const { getSnapshot, read, readMore, asked, known } = given(400);
  await read();
  expect([known().length, getSnapshot().hasMore, asked.length]).toEqual([30, true, 1]);
  await readMore();
  await readMore();
  expect([known().length, getSnapshot().hasMore, asked.length]).toEqual([90, true, 3]);
  await read();
  expect([known().length, getSnapshot().hasMore]).toEqual([90, true]);
  expect(asked.slice(3)).toEqual([undefined, '30', '60']);
});

test('some hundred are read ahead to be found by their titles', async () => {
  const { read, readAhead, asked, known } = given(400);
  await read();
  await readAhead();
  await readAhead();
  expect([known().length, asked.length]).toEqual([300, 10]);
});

test('a read is over when all of it is, also if what is shared cannot be read', async () => {
  const { read, readMore, asked, client } = given(90);
  await read();
  await readMore();
  asked.length = 0;
  client.api.listShared = () => Promise.reject(new Error('busy'));
  const list = client.api.list;
  client.api.list = async (cursor) => {
    await settle();
    return list(cursor);
  };
  await read();
  expect(asked).toEqual([undefined, '30']);
});

test('at most ten pages are read again', async () => {
  const { read, readMore, asked } = given(400);
  await read();
  for (let page = 0; page < 12; page++) await readMore();
  asked.length = 0;
  await read();
  expect(asked.length).toBe(10);
});

test('deleted conversations leave the list, from any page; nothing is older than the last page', async () => {
  const { getSnapshot, read, readMore, all, asked, known } = given(70);
  await read();
  await readMore();
  await readMore();
  expect(getSnapshot().hasMore).toBe(false);
  const calls = asked.length;
  await readMore();
  expect(asked.length).toBe(calls);
  all.splice(65, 1);
  all.splice(35, 1);
  all.splice(5, 1);
  await read();
  expect(known().toSorted()).toEqual(idsOf(all).toSorted());
});

test('what happens during a read causes one more', async () => {
  const { read, readMore, asked } = given(400);
  await read();
  await readMore();
  asked.length = 0;
  await Promise.all([read(), read(), read()]);
  expect(asked).toEqual([undefined, '30', undefined, '30']);
});

test('a failure is shown only if there is no content yet', async () => {
  const { client, getSnapshot, read } = given(1);
  const { list } = client.api;
  client.api.list = jest.fn().mockRejectedValue(new Error('no'));
  await read();
  expect(getSnapshot()).toMatchObject({ status: 'failed', error: { message: 'no' } });
  client.api.list = list;
  await read();
  client.api.list = jest.fn().mockRejectedValue(new Error('no'));
  await read();
  expect(getSnapshot()).toMatchObject({ status: 'ready', error: undefined });
});

describe('a deleted conversation does not come back (R177)', () => {
  const ids = (all: readonly ConversationSummary[]) => idsOf(all).sort();

  test('by a page that was on its way, a late index or a late push', async () => {
    const { conversations } = clientOfSockets();
    const { promise, resolve } = promised<ConversationPage>();
    answers['GET /conversations?'] = promise;
    const leave = conversations.subscribe(() => undefined);
    await settle();
    Socket.latest().says({ type: 'subscribed', list: true });
    await settle();
    Socket.latest().says({ type: 'deleted', conversationId: 'a' });
    const page = { conversations: [summary('a'), summary('b')] };
    resolve(page);
    await settle();
    expect(ids(conversations.getSnapshot().conversations)).toEqual(['b']);
    answers['GET /conversations?'] = page;
    await conversations.read();
    const row = summary('a', { version: 9 });
    Socket.latest().says({ type: 'rows', list: true, rows: [{ kind: 'conversation', row }] } as never);
    conversations.merge([row]);
    expect(ids(conversations.getSnapshot().conversations)).toEqual(['b']);
    leave();
  });

  test('when this client has deleted it, with its versions', async () => {
    const { conversations } = clientOfSockets();
    conversations.merge([summary('a'), summary('fork', { rootId: 'a' }), summary('b')]);
    answers['DELETE /conversations/fork?versions=all'] = 503;
    await expect(conversations.remove('fork')).rejects.toMatchObject({ status: 503 });
    expect(conversations.getSnapshot().conversations).toHaveLength(3);
    answers['DELETE /conversations/fork?versions=all'] = {};
    await conversations.remove('fork');
    conversations.merge([summary('a'), summary('fork')]);
    expect(ids(conversations.getSnapshot().conversations)).toEqual(['b']);
    // Another tab was first.
    await conversations.remove('b');
    expect([conversations.getSnapshot().conversations, [...conversations.getSnapshot().deleted]]).toEqual([
      [],
      ['fork', 'a', 'b'],
    ]);
  });
});

test('an older version replaces none, whichever of a page, a push and a read of the conversation comes last (R177)', async () => {
  const client = clientOfSockets();
  const { conversations } = client;
  const title = () => conversations.getSnapshot().byId.get('a')?.title;
  const parts = { messages: [], calls: [], callbacks: [], timers: [], more: false, usage: {} };
  client.conversation('a').merge({ ...summary('a', { version: 3, title: 'Third' }), ...parts } as never, true);
  expect(title()).toBe('Third');
  answers['GET /conversations?'] = { conversations: [summary('a', { version: 2, title: 'Second' })] };
  await conversations.read();
  expect(title()).toBe('Third');
  conversations.merge([summary('a', { version: 4, title: 'Fourth' })]);
  await conversations.read();
  expect([title(), conversations.getSnapshot().byId.get('a')]).toEqual(['Fourth', expect.not.objectContaining(parts)]);
});

test('a reconnect reads the list again, and once more after some seconds: what was missed is there (R177)', async () => {
  const { conversations } = clientOfSockets();
  const reads = () => requests.filter((line) => line === 'GET /conversations?').length;
  answers['GET /conversations?'] = { conversations: [summary('a')] };
  const leave = conversations.subscribe(() => undefined);
  await settle();
  Socket.latest().says({ type: 'subscribed', list: true });
  await jest.advanceTimersByTimeAsync(5_000);
  expect(reads()).toBe(2);
  answers['GET /conversations?'] = { conversations: [summary('a', { version: 2, title: 'New' }), summary('b')] };
  Socket.latest().emit('close');
  await jest.advanceTimersByTimeAsync(1_500);
  Socket.latest().says({ type: 'subscribed', list: true });
  await settle();
  expect(
    conversations
      .getSnapshot()
      .conversations.map(({ title }) => title)
      .sort(),
  ).toEqual(['New', 'b']);
  leave();
});

describe('what others share with the user (R225)', () => {
  const shared = (version: number, more: Partial<ConversationSummary> = {}) =>
    summary('hers', { version, role: 'member', ...more });
  const known = (client: ReturnType<typeof clientOfSockets>) => idsOf(client.conversations.getSnapshot().conversations);

  test('is in the list, pushed and read; what is shared no more leaves it, and comes back when it is shared again', async () => {
    const client = clientOfSockets();
    answers['GET /conversations?'] = { conversations: [summary('a')] };
    answers['GET /conversations?state=shared&'] = { conversations: [shared(1)] };
    const leave = client.conversations.subscribe(() => undefined);
    await settle();
    Socket.latest().says({ type: 'subscribed', list: true });
    await settle();
    // The own list, in which it is not, takes nothing away.
    expect(known(client).sort()).toEqual(['a', 'hers']);
    const says = (row: ConversationSummary) =>
      Socket.latest().says({ type: 'rows', list: true, rows: [{ kind: 'conversation', row }] });
    says(shared(2));
    Socket.latest().says({ type: 'deleted', conversationId: 'hers' });
    expect(known(client)).toEqual(['a']);
    says(shared(2));
    expect(known(client)).toEqual(['a']);
    says(shared(4));
    expect(known(client).sort()).toEqual(['a', 'hers']);
    answers['GET /conversations?state=shared&'] = { conversations: [] };
    await client.conversations.read();
    expect(known(client)).toEqual(['a']);
    leave();
  });

  test('keeps the role of the read when rows are pushed; a change of its people is read; a task’s conversation is in no list', async () => {
    const client = clientOfSockets();
    const parts = { messages: [], calls: [], callbacks: [], timers: [], more: false, usage: {} };
    const head = (version: number, role?: 'member' | 'watcher', members: object[] = [{ member: 'user:me', role }]) =>
      ({ ...summary('hers', { version, role }), ...parts, owner: 'ada', members }) as never as Conversation;
    const feed = client.conversation('hers');
    answers['GET /conversations/hers?after=0'] = head(1, 'member');
    await feed.read();
    const {
      messages: _,
      calls: __,
      callbacks: ___,
      timers: ____,
      more: _____,
      role: ______,
      ...row
    } = head(2, 'member');
    feed.merge([{ kind: 'conversation', row: { ...row, pinned: true } }]);
    const role = () => [
      feed.getSnapshot().conversation?.role,
      client.conversations.getSnapshot().byId.get('hers')?.role,
    ];
    expect(role()).toEqual(['member', 'member']);
    expect(client.conversations.getSnapshot().byId.get('hers')?.pinned).toBeUndefined();
    answers['GET /conversations/hers?after=0'] = head(3, 'watcher');
    feed.merge([
      { kind: 'conversation', row: { ...row, version: 3, members: [{ member: 'user:me', role: 'watcher' }] } },
    ]);
    await settle();
    expect(role()).toEqual(['watcher', 'watcher']);
    client.conversation('task').merge({ ...head(1, 'watcher'), id: 'task', parentId: 'hers' } as never, true);
    expect(client.conversations.getSnapshot().byId.has('task')).toBe(false);
  });
});
