import { mergeList } from 'vigil-client/shared';
import { summary } from '../../../test/support/page/rows';
import { groupsOf } from './list-groups';

const at = (id: string, updatedAt: string, more = {}) => summary(id, { updatedAt, ...more });
const named = (all: Parameters<typeof mergeList>[1], now: string, timeZone: string) =>
  groupsOf(mergeList(new Map(), all), Date.parse(now), timeZone).map(({ title, conversations }) => [
    title,
    conversations.map(({ id }) => id).join(),
  ]);

test('the list is in groups by the day on the user’s calendar; archived ones are in none (R160)', () => {
  const all = [
    at('asks', '2026-01-01T08:00:00Z', { status: 'waiting' }),
    at('kept', '2025-01-01T08:00:00Z', { pinned: true }),
    at('gone', '2026-03-30T08:00:00Z', { archived: true }),
    at('now', '2026-03-30T06:00:00Z'),
    at('late', '2026-03-29T22:30:00Z'),
    at('before', '2026-03-29T21:30:00Z'),
    at('week', '2026-03-23T12:00:00Z'),
    at('month', '2026-03-01T12:00:00Z'),
    at('february', '2026-02-20T12:00:00Z'),
    at('older', '2025-02-20T12:00:00Z'),
  ];
  const now = '2026-03-30T07:00:00Z';
  expect(named(all, now, 'Europe/Berlin')).toEqual([
    ['Needs you', 'asks'],
    ['Pinned', 'kept'],
    // Half past midnight there, in the night after the clock has changed.
    ['Today', 'now,late'],
    ['Yesterday', 'before'],
    ['Previous 7 days', 'week'],
    ['Previous 30 days', 'month'],
    ['February 2026', 'february'],
    ['February 2025', 'older'],
  ]);
  expect(named(all, now, 'UTC').slice(2, 4)).toEqual([
    ['Today', 'now'],
    ['Yesterday', 'late,before'],
  ]);
});

test('what others share is a group of its own, by the last change, and waits for nobody here (R225)', () => {
  const all = [
    at('mine', '2026-03-30T06:00:00Z'),
    at('hers', '2026-01-01T08:00:00Z', { role: 'member', status: 'waiting' }),
    at('his', '2026-02-01T08:00:00Z', { role: 'watcher' }),
    at('asks', '2026-01-01T08:00:00Z', { status: 'waiting' }),
  ];
  expect(named(all, '2026-03-30T07:00:00Z', 'UTC')).toEqual([
    ['Needs you', 'asks'],
    ['Shared with you', 'his,hers'],
    ['Today', 'mine'],
  ]);
});
