import type { ConversationSummary, WaitingApproval } from 'vigil-client';
import { callback, summary } from '../../../test/support/page/rows';
import { attentionCount, isUnread, seenAtFirst, withSeen } from './unread';

const nothing = { waiting: [], snoozed: [] };

const one = (id: string, minute: number, more: Partial<ConversationSummary> = {}): ConversationSummary => ({
  id,
  version: minute,
  title: id,
  agent: 'a',
  status: 'done',
  createdAt: '2026-03-01T08:00:00Z',
  updatedAt: `2026-03-01T08:${String(minute).padStart(2, '0')}:00Z`,
  ...more,
});
const listOf = (...all: ConversationSummary[]) => new Map(all.map((each) => [each.id, each]));

test('at first all is seen; then what has come to an end or waits is unread, until it is seen (R155)', () => {
  const seen = seenAtFirst(listOf(one('old', 1), one('new', 5)));
  expect([isUnread(one('old', 1), seen), isUnread(one('new', 5), seen)]).toEqual([false, false]);
  for (const status of ['done', 'failed', 'limited', 'waiting'] as const)
    expect(isUnread(one('old', 6, { status }), seen)).toBe(true);
  for (const status of ['running', 'sleeping', 'cancelled'] as const)
    expect(isUnread(one('old', 6, { status }), seen)).toBe(false);
  expect(isUnread(one('old', 6, { status: 'waiting', waitsFor: 'approver' }), seen)).toBe(false);
  expect(isUnread(one('old', 6, { parentId: 'p' }), seen)).toBe(false);
  const after = withSeen(seen, one('old', 6));
  expect(isUnread(one('old', 6), after)).toBe(false);
  expect(isUnread(one('old', 7), after)).toBe(true);
  expect(withSeen(after, one('old', 6))).toBe(after);
  expect(isUnread(one('old', 9), undefined)).toBe(false);
});

test('who has no conversations has seen none (R155)', () => {
  expect(isUnread(one('first', 1), seenAtFirst(new Map()))).toBe(true);
});

test('the places of 300 conversations are kept, and what falls out stays seen (R155)', () => {
  let seen = seenAtFirst(new Map());
  const at = (number: number) => one(`c${number}`, 0, { updatedAt: new Date(number * 60_000).toISOString() });
  for (let number = 1; number <= 301; number++) seen = withSeen(seen, at(number));
  expect(Object.keys(seen.at)).toHaveLength(300);
  expect(isUnread(at(1), seen)).toBe(false);
});

test('the title counts a conversation once that waits and is unread (R155)', () => {
  const seen = seenAtFirst(listOf(one('a', 1)));
  const list = listOf(one('a', 1), one('b', 2), one('c', 3, { status: 'waiting' }), one('d', 4, { status: 'running' }));
  expect(attentionCount(list, seen, nothing)).toBe(2);
  expect(attentionCount(list, withSeen(seen, one('c', 3)), nothing)).toBe(2);
  expect(attentionCount(list, withSeen(seen, one('b', 2)), nothing)).toBe(1);
});

test('of several versions of a conversation, the one in the list counts (R159)', () => {
  const [old, young] = [one('old', 2), one('young', 3, { rootId: 'old' })];
  const seen = { since: '2026-03-01T08:01:00Z', at: {} };
  expect(attentionCount(listOf(old, young), seen, nothing)).toBe(1);
  expect(attentionCount(listOf(old, young), withSeen(seen, young), nothing)).toBe(0);
  const asks = listOf({ ...old, status: 'waiting' }, young);
  expect(attentionCount(asks, withSeen(seen, young), nothing)).toBe(1);
});

test('what is put off asks for no attention, unless something else of its conversation does (R253)', () => {
  const asks = listOf(summary('a', { status: 'waiting' }));
  const [first, second] = ['1', '2'].map(
    (id) => ({ conversationId: 'a', callback: callback(id) }) as WaitingApproval,
  ) as [WaitingApproval, WaitingApproval];
  expect(attentionCount(asks, undefined, { waiting: [], snoozed: [first] })).toBe(0);
  expect(attentionCount(asks, undefined, { waiting: [second], snoozed: [first] })).toBe(1);
});
