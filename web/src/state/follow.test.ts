import type { Conversation } from 'vigil-client';
import { answering, clientOfSockets, Socket, settle } from '../../../test/support/page/answering';
import { message, summary } from '../../../test/support/page/rows';
import { queue } from '../kept/unsent';
import { follow } from './follow';
import { vigilState } from './vigil-state';

const usage = { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, costMicrodollars: 0 };
const page = (id: string, more: Partial<Conversation> = {}): Conversation => ({
  ...summary(id),
  usage,
  messages: [message(1)],
  calls: [],
  callbacks: [],
  timers: [],
  more: false,
  ...more,
});
const versions = (...ids: string[]): Conversation['branches'] =>
  ids.map((id) => ({ id, path: [], createdAt: '2026-04-01T00:00:00Z' }));

const { requests, answers } = answering();
beforeEach(() => {
  Object.defineProperty(globalThis, 'document', { value: { visibilityState: 'visible' }, configurable: true });
});

function given() {
  const store = vigilState();
  const client = clientOfSockets();
  const following = follow(store, client, () => undefined);
  const stateOf = (id: string) => client.conversation(id).getSnapshot().status;
  const isListed = (id: string) => client.conversations.getSnapshot().byId.has(id);
  return { store, client, following, stateOf, isListed };
}
const deleted = (conversationId: string) => Socket.latest().says({ type: 'deleted', conversationId });
const readOf = (id: string) => `GET /conversations/${id}?after=0`;

test('a conversation that was read, left and deleted is asked for again when it is opened', async () => {
  const { following, stateOf, isListed, client } = given();
  answers[readOf('a')] = page('a');
  following.open('a');
  await settle();
  expect(isListed('a')).toBe(true);
  following.open(undefined);
  deleted('a');
  answers[readOf('a')] = 503;
  following.open('a');
  expect([stateOf('a'), isListed('a')]).toEqual(['loading', false]);
  await settle();
  expect(client.conversation('a').getSnapshot()).toMatchObject({ status: 'failed', conversation: undefined });
  // It was started again, under the same id.
  answers[readOf('a')] = page('a');
  await following.read('a');
  expect([stateOf('a'), isListed('a')]).toEqual(['ready', true]);
});

test('one that is gone stays so on the screen when a later read fails in passing', async () => {
  const { following, stateOf } = given();
  following.open('a');
  await settle();
  answers[readOf('a')] = 503;
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
  answers[readOf('a')] = page('a', { branches: versions('a', 'b') });
  following.open('a');
  await settle();
  following.merge('b', page('b', { rootId: 'a', branches: versions('a', 'b', 'c') }));
  Socket.latest().says({ type: 'rows', conversationId: 'a', rows: [{ kind: 'message', row: message(2) }] });
  await settle();
  expect(known()).toEqual(['a', 'b', 'c']);
  await following.read('a');
  expect(known()).toEqual(['a', 'b']);
});

test('a version that the page does not know makes it read those of the open conversation', async () => {
  const { following } = given();
  answers[readOf('a')] = page('a', { branches: versions('a') });
  following.open('a');
  await settle();
  const reads = () => requests.filter((line) => line === readOf('a')).length;
  const before = reads();
  const pushed = (row: ReturnType<typeof summary>) =>
    Socket.latest().says({ type: 'rows', list: true, rows: [{ kind: 'conversation', row }] } as never);
  pushed(summary('other'));
  await settle();
  expect(reads()).toBe(before);
  pushed(summary('b', { rootId: 'a' }));
  await settle();
  expect(reads()).toBe(before + 1);
});

test('with a deleted conversation go its unsent messages, drafts and versions; one that is not stored yet is not missing', () => {
  const { store, following } = given();
  following.merge('a', page('a', { branches: versions('a', 'b') }));
  const unsent = { clientMessageId: 'm', conversationId: 'b', text: 'Hi', createdAt: '' };
  const begun = { clientMessageId: 'n', conversationId: 'new', agent: 'travel', text: 'Hi', createdAt: '' };
  const drafts = new Map([
    ['b callback', 'Because'],
    ['a', 'And'],
  ]);
  store.setState({ unsent: queue(queue([], unsent), begun), drafts });
  following.open('new');
  return settle().then(() => {
    deleted('b');
    deleted('new');
    const { unsent, drafts, branches } = store.getState();
    expect([unsent.map(({ conversationId }) => conversationId), [...drafts.keys()]]).toEqual([['new'], ['a']]);
    expect(branches.get('a')?.map(({ id }) => id)).toEqual(['a']);
    expect(requests.filter((line) => line.includes('new'))).toEqual([]);
  });
});
