import { message, summary } from '../../../test/support/page/rows';
import { queue } from '../kept/unsent';
import { conversationChanged, listed, removed } from './merge';
import { type VigilStore, vigilState } from './vigil-state';

const ready = (id: string, version = 1) => ({
  status: 'ready' as const,
  conversation: {
    ...summary(id, { version }),
    ...{ usage: { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, costMicrodollars: 0 } },
    ...{ messages: [message(1)], calls: [], callbacks: [], timers: [] },
  },
});
const gone = { status: 'gone' as const };
const statusOf = (store: VigilStore, id: string) => store.getState().known.get(id)?.status;

test('a conversation is in the list without its rows; list entries of a deleted one change nothing', () => {
  const store = vigilState();
  conversationChanged(store, 'a', ready('a'));
  expect([statusOf(store, 'a'), store.getState().list.get('a')]).toEqual([
    'ready',
    expect.not.objectContaining({ messages: [] }),
  ]);
  removed(store, 'a');
  listed(store, [summary('a', { version: 2 }), summary('b')]);
  expect([statusOf(store, 'a'), [...store.getState().list.keys()]]).toEqual(['gone', ['b']]);
});

test('the conversations opened last are kept, the open one too, and deleted ones are remembered', () => {
  const store = vigilState();
  store.setState({ open: 'c0' });
  conversationChanged(store, 'x', gone);
  const ids = Array.from({ length: 25 }, (_, index) => `c${index}`);
  for (const id of ids) conversationChanged(store, id, ready(id));
  expect([...store.getState().known.keys()].sort()).toEqual(['c0', ...ids.slice(-20), 'x'].sort());
});

test('a missing conversation is gone, unless it is not stored yet', () => {
  const store = vigilState();
  const start = { clientMessageId: 'm', conversationId: 'a', agent: 'travel', text: 'Hi', createdAt: '' };
  store.setState({ unsent: queue([], start) });
  conversationChanged(store, 'a', gone);
  expect(statusOf(store, 'a')).toBeUndefined();
  store.setState({ unsent: [] });
  conversationChanged(store, 'a', gone);
  expect(statusOf(store, 'a')).toBe('gone');
});
