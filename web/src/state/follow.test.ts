import { EventEmitter } from 'node:events';
import { type Conversation, createClient, type ServerMessage } from 'vigil-client';
import { message, summary } from '../../../test/support/page/rows';
import { follow } from './follow';
import { vigilState } from './vigil-state';

class Socket extends EventEmitter {
  static latest: Socket;
  readyState = 1;
  constructor() {
    super();
    Socket.latest = this;
    queueMicrotask(() => this.emit('open'));
  }
  addEventListener = (type: string, listener: (event: { data: unknown }) => void) => void this.on(type, listener);
  send(): void {}
  close(): void {
    this.emit('close');
  }
  says = (said: ServerMessage) => this.emit('message', { data: JSON.stringify(said) });
}

const usage = { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, costMicrodollars: 0 };
const page = (id: string, more: Partial<Conversation> = {}): Conversation => ({
  ...{ ...summary(id), usage, messages: [message(1)], calls: [], callbacks: [], timers: [], more: false },
  ...more,
});
const versions = (...ids: string[]): Conversation['branches'] =>
  ids.map((id) => ({ id, path: [], createdAt: '2026-04-01T00:00:00Z' }));
const settle = () => jest.advanceTimersByTimeAsync(0);

let answers: Record<string, object | number | Promise<object>>;
beforeEach(() => {
  answers = { '/live/tickets': { url: 'wss://x', ticket: 't', version: 1 } };
  jest.useFakeTimers({ now: Date.parse('2026-04-01T00:00:00Z') });
  Object.defineProperty(globalThis, 'document', { value: { visibilityState: 'visible' }, configurable: true });
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (url) => {
    const answer = await (answers[String(url).split('?')[0]!] ?? 404);
    return typeof answer === 'number' ? new Response('{}', { status: answer }) : Response.json(answer);
  });
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

function given() {
  const store = vigilState();
  const nothing = () => undefined;
  const home = { read: nothing, catchUp: nothing, shown: nothing, changed: nothing };
  const approvals = { read: async () => undefined, decided: nothing };
  const client = createClient({ url: '', token: () => 't', WebSocket: Socket as never });
  const following = follow(store, client, { approvals, home, noticed: nothing });
  const stateOf = (id: string) => store.getState().known.get(id)?.status;
  const isListed = (id: string) => store.getState().list.has(id);
  return { store, following, stateOf, isListed };
}
const deleted = (conversationId: string) => Socket.latest.says({ type: 'deleted', conversationId });

test('a deleted conversation stays gone, whatever answers later', async () => {
  const { following, stateOf, isListed } = given();
  let answer: (given: object) => void = () => undefined;
  answers['/conversations/a'] = new Promise<object>((resolve) => {
    answer = resolve;
  });
  following.open('a');
  await settle();
  following.open(undefined);
  deleted('a');
  answer(page('a'));
  await settle();
  following.merge('a', page('a'), true);
  expect([stateOf('a'), isListed('a')]).toEqual(['gone', false]);
});

test('a conversation that was read, left and deleted is asked for again when it is opened', async () => {
  const { following, stateOf, isListed, store } = given();
  answers['/conversations/a'] = page('a');
  following.open('a');
  await settle();
  following.open(undefined);
  deleted('a');
  answers['/conversations/a'] = 503;
  following.open('a');
  expect([stateOf('a'), isListed('a')]).toEqual(['loading', false]);
  await settle();
  expect([stateOf('a'), store.getState().known.get('a')?.conversation]).toEqual(['failed', undefined]);
  // It was started again, under the same id.
  answers['/conversations/a'] = page('a');
  await following.read('a');
  expect([stateOf('a'), isListed('a')]).toEqual(['ready', true]);
});

test('one that is gone stays so on the screen when a later read fails in passing', async () => {
  const { following, stateOf } = given();
  following.open('a');
  await settle();
  answers['/conversations/a'] = 503;
  await following.read('a');
  expect(stateOf('a')).toBe('gone');
});

test('versions that were read earlier, with another version, do not replace newer ones', async () => {
  const { store, following } = given();
  const known = () =>
    store
      .getState()
      .branches.get('a')
      ?.map(({ id }) => id);
  answers['/conversations/a'] = page('a', { branches: versions('a', 'b') });
  following.open('a');
  await settle();
  following.merge('b', page('b', { rootId: 'a', branches: versions('a', 'b', 'c') }));
  Socket.latest.says({ type: 'rows', conversationId: 'a', rows: [{ kind: 'message', row: message(2) }] });
  await settle();
  expect(known()).toEqual(['a', 'b', 'c']);
  await following.read('a');
  expect(known()).toEqual(['a', 'b']);
});

test('a read that ends after many others were opened is shown', async () => {
  const { following, stateOf } = given();
  let answer: (given: object) => void = () => undefined;
  answers['/conversations/a'] = new Promise<object>((resolve) => {
    answer = resolve;
  });
  following.open('a');
  for (let index = 0; index < 25; index++) following.open(`c${index}`);
  answer(page('a'));
  await settle();
  expect(stateOf('a')).toBe('ready');
});
