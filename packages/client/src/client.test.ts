import { noUsage } from '../../../core/base/state/schemas';
import { answering, clientOfSockets, Socket, settle } from '../../../test/support/page/answering';
import { message, summary } from '../../../test/support/page/rows';
import type { Callback, Conversation, Message } from './api-types';
import { createClient } from './client';
import { nobody } from './feeds/people';

const latest = Socket.latest;
const given = clientOfSockets;

const { requests, answers } = answering({
  'GET /conversations?': { conversations: [summary('a')] },
  'GET /approvals?': { approvals: [] },
});
const page = (messages: Message[], more: Partial<Conversation> = {}): Conversation => ({
  ...summary('a'),
  usage: noUsage,
  calls: [],
  callbacks: [],
  timers: [],
  more: false,
  messages,
  ...more,
});
const conversationId = 'a';

test('all subscriptions have one connection, which closes after the last one (R177)', async () => {
  const client = given();
  answers['GET /conversations/a?after=0'] = page([message(1)]);
  const leave = [client.conversations, client.approvals, client.conversation('a')].map((one) =>
    one.subscribe(() => undefined),
  );
  await settle();
  expect([Socket.all.length, client.live.connection]).toEqual([1, 'live']);
  expect(latest().take()).toEqual([
    { action: 'subscribe', list: true },
    { action: 'subscribe', approvals: true },
    { action: 'subscribe', conversationId },
  ]);
  for (const one of leave) one();
  expect(
    latest()
      .take()
      .map(({ action }) => action),
  ).toEqual(Array(3).fill('unsubscribe'));
  await jest.advanceTimersByTimeAsync(900);
  expect(client.live.connection).toBe('live');
  await jest.advanceTimersByTimeAsync(100);
  expect([client.live.connection, latest().readyState]).toEqual(['idle', 3]);
  expect(jest.getTimerCount()).toBe(0);
});

test('a conversation is read once it is acknowledged, after a reconnect and at each pong (R177)', async () => {
  const client = given();
  const reads = () => requests.filter((line) => line.startsWith('GET /conversations/a')).length;
  answers['GET /conversations/a?after=0'] = page([message(1)]);
  const feed = client.conversation('a');
  const states: string[] = [];
  const leave = feed.subscribe(() => states.push(feed.getSnapshot().status));
  await settle();
  expect([reads(), feed.getSnapshot()]).toEqual([0, { status: 'loading', people: nobody }]);
  latest().says({ type: 'subscribed', conversationId });
  await settle();
  expect([reads(), feed.getSnapshot().status]).toEqual([1, 'ready']);

  const before = feed.getSnapshot();
  latest().says({ type: 'pong' });
  await settle();
  // Nothing new, so nothing is drawn again.
  expect([reads(), feed.getSnapshot() === before, states]).toEqual([2, true, ['ready']]);

  latest().says({ type: 'rows', conversationId, rows: [{ kind: 'message', row: message(2) }] });
  expect(feed.getSnapshot().conversation!.messages.map(({ seq }) => seq)).toEqual([1, 2]);
  expect(feed.getSnapshot().conversation!.messages[0]).toBe(before.conversation!.messages[0]);
  latest().says({ type: 'rows', conversationId, rows: [{ kind: 'message', key: '3', version: 1, changed: true }] });
  await settle();
  expect(reads()).toBe(3);

  answers['GET /conversations/a?after=0'] = page([message(1), message(2), message(3)]);
  latest().emit('close');
  expect(client.live.connection).toBe('lost');
  await jest.advanceTimersByTimeAsync(1_500);
  expect([Socket.all.length, latest().take()]).toEqual([2, [{ action: 'subscribe', conversationId }]]);
  latest().says({ type: 'subscribed', conversationId });
  await settle();
  expect(feed.getSnapshot().conversation!.messages.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  leave();
});

test('left and opened again at once, a conversation is subscribed to, whichever request is handled last (R177)', async () => {
  const feed = given().conversation('a');
  feed.subscribe(() => undefined)();
  const leave = feed.subscribe(() => undefined);
  await settle();
  latest().says({ type: 'subscribed', conversationId });
  latest().take();
  latest().says({ type: 'unsubscribed', conversationId });
  expect(latest().take()).toEqual([{ action: 'subscribe', conversationId }]);
  leave();
});

describe('in a browser', () => {
  const window = new EventTarget();
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  beforeEach(() => {
    const addEventListener = window.addEventListener.bind(window);
    const removeEventListener = window.removeEventListener.bind(window);
    Object.assign(globalThis, { document, addEventListener, removeEventListener });
  });
  afterEach(() => {
    for (const name of ['document', 'addEventListener', 'removeEventListener'])
      Reflect.deleteProperty(globalThis, name);
  });
  async function live() {
    const client = given();
    const left = client.conversation('a').subscribe(() => undefined);
    const leave = async () => {
      left();
      await jest.advanceTimersByTimeAsync(1_000);
    };
    await settle();
    latest().says({ type: 'subscribed', conversationId });
    await settle();
    latest().take();
    return { client, leave };
  }

  test('a window that is shown again pings; a connection that says nothing to that is replaced (R177)', async () => {
    const { client, leave } = await live();
    document.dispatchEvent(new Event('visibilitychange'));
    expect(latest().take()).toEqual([{ action: 'ping' }]);
    latest().says({ type: 'pong' });
    await jest.advanceTimersByTimeAsync(20_000);
    expect(Socket.all.length).toBe(1);
    document.dispatchEvent(new Event('visibilitychange'));
    await jest.advanceTimersByTimeAsync(10_100);
    expect([Socket.all.length, client.live.connection]).toEqual([2, 'live']);
    expect(latest().take()).toEqual([{ action: 'subscribe', conversationId }]);
    await leave();
  });

  test('one that takes its network for gone is live with the next word of the server (R177)', async () => {
    const { client, leave } = await live();
    window.dispatchEvent(new Event('offline'));
    expect([client.live.connection, latest().take()]).toEqual(['lost', [{ action: 'ping' }]]);
    latest().says({ type: 'pong' });
    await jest.advanceTimersByTimeAsync(20_000);
    expect([client.live.connection, Socket.all.length]).toEqual(['live', 1]);
    await leave();
  });
});

test('a deleted conversation is gone; late rows change nothing (R177)', async () => {
  const client = given();
  answers['GET /conversations/a?after=0'] = page([message(1)]);
  const feed = client.conversation('a');
  const leave = [feed.subscribe(() => undefined), client.conversations.subscribe(() => undefined)];
  await settle();
  for (const topic of [{ conversationId }, { list: true as const }]) latest().says({ type: 'subscribed', ...topic });
  await settle();
  expect(client.conversations.getSnapshot().conversations).toHaveLength(1);
  latest().says({ type: 'deleted', conversationId });
  latest().says({ type: 'rows', conversationId, rows: [{ kind: 'message', row: message(2) }] });
  expect(feed.getSnapshot()).toMatchObject({ status: 'gone', conversation: undefined, error: { status: 404 } });
  expect(client.conversations.getSnapshot().conversations).toEqual([]);
  for (const one of leave) one();
});

test('a conversation is read page after page, and a read that fails in passing is made again while it is followed (R177)', async () => {
  const messages = Array.from({ length: 100 }, (_, index) => message(index + 1));
  answers['GET /conversations/a?after=0'] = 503;
  const feed = given().conversation('a');
  const leave = feed.subscribe(() => undefined);
  await settle();
  latest().says({ type: 'subscribed', conversationId });
  await settle();
  expect(feed.getSnapshot()).toMatchObject({ status: 'failed', error: { status: 503 } });
  answers['GET /conversations/a?after=0'] = page(messages.slice(0, 60), { more: true });
  answers['GET /conversations/a?after=60'] = page(messages.slice(60));
  answers['GET /conversations/a?after=49'] = 503;
  await jest.advanceTimersByTimeAsync(3_000);
  expect(feed.getSnapshot()).toMatchObject({ status: 'ready', error: undefined });
  expect(feed.getSnapshot().conversation?.messages).toHaveLength(100);
  // What is known stays. Nobody follows it any more, so it is not read again.
  leave();
  await feed.read();
  const before = requests.length;
  await jest.advanceTimersByTimeAsync(60_000);
  expect([feed.getSnapshot().status, requests.length]).toEqual(['ready', before]);
});

test('a response of the API is known at once, with its versions; a deletion outlasts a read that was on its way (R177)', async () => {
  const feed = given().conversation('a');
  const branches = [{ id: 'a', path: [], createdAt: '2026-04-01T00:00:00Z' }] as Conversation['branches'];
  feed.merge(page([message(1)], { branches }), true);
  const { conversation } = feed.getSnapshot();
  expect([feed.getSnapshot().status, conversation?.branches]).toEqual(['ready', branches]);
  feed.merge(page([message(1)], { branches: structuredClone(branches) }), true);
  expect(feed.getSnapshot().conversation).toBe(conversation);
  answers['GET /conversations/a?after=0'] = page([message(1)]);
  feed.subscribe(() => undefined);
  await settle();
  const reading = feed.read();
  latest().says({ type: 'deleted', conversationId });
  await reading;
  feed.merge([{ kind: 'message', row: message(2) }]);
  expect(feed.getSnapshot()).toMatchObject({ status: 'gone', conversation: undefined });
  // It was started again, under the same id.
  await feed.read();
  expect(feed.getSnapshot().status).toBe('ready');
});

test('who sees a conversation says so once it is subscribed to, after a reconnect and at each pong (R177)', async () => {
  const client = given();
  answers['GET /conversations/a?after=0'] = page([]);
  const leave = client.conversation('a').subscribe(
    () => undefined,
    () => true,
  );
  const hidden = client.conversation('a').subscribe(() => undefined);
  await settle();
  latest().take();
  latest().says({ type: 'subscribed', conversationId });
  latest().says({ type: 'pong' });
  expect(latest().take()).toEqual([1, 2].map((turn) => ({ action: 'watch', conversationId, visible: true, turn })));
  leave();
  latest().says({ type: 'pong' });
  expect(latest().take()).toEqual([{ action: 'watch', conversationId, visible: false, turn: 3 }]);
  hidden();
});

test('sends have one id over all attempts, and what they return is in the state at once (R177)', async () => {
  const client = given();
  const feed = client.conversation('a');
  answers['POST /conversations/a/messages'] = 503;
  const sent = feed.send('Hi');
  await settle();
  answers['POST /conversations/a/messages'] = message(1, { text: 'Hi' });
  await jest.advanceTimersByTimeAsync(1_500);
  await sent;
  const [first, second] = requests;
  expect([requests.length, first === second]).toEqual([2, true]);
  expect(first).toMatch(/"clientMessageId":"[\w-]{36}","text":"Hi"/);

  answers['POST /conversations'] = page([message(1)]);
  await client.start({ agent: 'guide', text: 'Hi' });
  const { id, clientMessageId } = JSON.parse(requests.at(-1)!.slice('POST /conversations '.length));
  expect([id, id === clientMessageId]).toEqual([expect.stringMatching(/^[\w-]{36}$/), true]);
});

test('the approvals are read at each news; an own decision leaves them at once (R177)', async () => {
  const client = given();
  const callback = { id: 'p', status: 'pending' } as Callback;
  const waiting = { conversationId: 'c', owner: 'ada', agent: 'shop', callback };
  const leave = client.approvals.subscribe(() => undefined);
  await settle();
  answers['GET /approvals?'] = { approvals: [waiting] };
  latest().says({ type: 'changed', approvals: true });
  await settle();
  expect(client.approvals.getSnapshot()).toEqual({ status: 'ready', approvals: [waiting] });
  answers['POST /conversations/c/callbacks/p'] = callback;
  answers['GET /approvals?'] = { approvals: [] };
  await client.approvals.answer(waiting, { approved: true });
  expect(client.approvals.getSnapshot().approvals).toEqual([]);
  // The index is late.
  answers['GET /approvals?'] = { approvals: [waiting] };
  await client.approvals.read();
  expect(client.approvals.getSnapshot().approvals).toEqual([]);
  leave();
});

test('an approval of arguments that another approver has changed says which ones were seen (R252)', async () => {
  const client = given();
  const callback = { id: 'p', status: 'pending', arguments: { cents: 2 }, asked: { cents: 1 } } as unknown as Callback;
  answers['POST /conversations/c/callbacks/p'] = callback;
  const sent = () =>
    JSON.parse(requests.findLast((one) => one.includes('/callbacks/p'))!.replace(/^\S+ \S+ /, '')) as object;
  await client.approvals.answer({ conversationId: 'c', callback }, { approved: true });
  expect(sent()).toEqual({ approved: true, arguments: { cents: 2 } });
  await client.approvals.answer({ conversationId: 'c', callback }, { approved: false, question: 'Why?' });
  expect(sent()).toEqual({ approved: false, question: 'Why?' });
  await client.approvals.answer({ conversationId: 'c', callback: { id: 'p' } }, { approved: true });
  expect(sent()).toEqual({ approved: true });
});

test('without a WebSocket, requests work, and a subscription says what is missing (R177)', async () => {
  const had = Object.getOwnPropertyDescriptor(globalThis, 'WebSocket');
  Reflect.deleteProperty(globalThis, 'WebSocket');
  try {
    const client = createClient({ url: '', token: () => 't' });
    expect((await client.api.list()).conversations).toHaveLength(1);
    expect(() => client.conversations.subscribe(() => undefined)).toThrow(/pass one to createClient/);
  } finally {
    if (had) Object.defineProperty(globalThis, 'WebSocket', had);
  }
});

test('deltas that come at once are shown at once; one of a message that is not known is read (R207)', async () => {
  const client = given();
  const reply: Message = { ...message(2), role: 'assistant', text: '', status: 'streaming', attempt: 1 };
  answers['GET /conversations/a?after=0'] = page([message(1)]);
  const feed = client.conversation('a');
  let changes = 0;
  const leave = feed.subscribe(() => {
    changes += 1;
  });
  await settle();
  latest().says({ type: 'subscribed', conversationId });
  await settle();
  const delta = (from: number, text: string) =>
    latest().says({ type: 'delta', conversationId, seq: 2, attempt: 1, from, text });
  const reads = () => requests.filter((line) => line.startsWith('GET /conversations/a')).length;

  answers['GET /conversations/a?after=0'] = page([message(1), reply]);
  delta(0, 'Se');
  await settle();
  expect(reads()).toBe(2);
  await jest.advanceTimersByTimeAsync(16);
  const text = () => feed.getSnapshot().conversation!.messages[1]?.text;
  expect(text()).toBe('Se');

  changes = 0;
  delta(2, 've');
  delta(4, 'n ');
  delta(9, 'lost before');
  expect([changes, text()]).toEqual([0, 'Se']);
  await jest.advanceTimersByTimeAsync(16);
  expect([changes, text(), reads()]).toEqual([1, 'Seven ', 2]);

  latest().says({ type: 'deleted', conversationId });
  delta(6, 'more');
  await jest.advanceTimersByTimeAsync(16);
  expect(feed.getSnapshot()).toMatchObject({ status: 'gone', conversation: undefined });
  leave();
});

test('a message of a later server changes nothing and is not answered (R207, R177)', async () => {
  const client = given();
  answers['GET /conversations/a?after=0'] = page([message(1)]);
  const feed = client.conversation('a');
  const leave = feed.subscribe(() => undefined);
  await settle();
  latest().take();
  // The subscription is not acknowledged yet, so an error of API Gateway would have it asked for again.
  const before = feed.getSnapshot();
  latest().says({ type: 'later', conversationId, seq: 2, attempt: 1, from: 0, text: 'Words' } as never);
  await jest.advanceTimersByTimeAsync(30_000);
  expect([feed.getSnapshot(), latest().take()]).toEqual([before, []]);
  latest().says({ message: 'Internal server error', connectionId: 'x', requestId: 'y' } as never);
  await jest.advanceTimersByTimeAsync(30_000);
  expect(latest().take()).toEqual([{ action: 'subscribe', conversationId }]);
  leave();
});
