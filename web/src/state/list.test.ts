import { summary } from './fixtures';
import { mergeList, nextMoment, sorted, waitingCount } from './list';

const listOf = (...all: Parameters<typeof mergeList>[1]) => mergeList(new Map(), all);

test('of each conversation the highest version is kept, in whatever order they come', () => {
  const late = summary('a', { version: 3, title: 'new' });
  const early = summary('a', { version: 2, title: 'old' });
  expect(listOf(late, early)).toEqual(listOf(early, late));
  const list = listOf(late);
  expect(mergeList(list, [early])).toBe(list);
});

test('R65 what waits for somebody comes first, then the last changed; the waiting are counted', () => {
  const list = listOf(
    summary('old', { updatedAt: '2026-03-01T08:00:00Z' }),
    summary('new', { updatedAt: '2026-03-03T08:00:00Z' }),
    summary('asks', { status: 'waiting', updatedAt: '2026-02-01T08:00:00Z' }),
    summary('delegates', { status: 'waiting', waitsFor: 'agent', updatedAt: '2026-02-02T08:00:00Z' }),
  );
  expect(sorted(list).map(({ id }) => id)).toEqual(['asks', 'new', 'old', 'delegates']);
  expect(waitingCount(list)).toBe(1);
});

test('the next moment is the first that lies ahead', () => {
  const now = Date.parse('2026-03-01T08:00:00Z');
  const moments = ['2026-03-05T00:00:00Z', undefined, '2026-03-02T00:00:00Z', '2026-02-01T00:00:00Z'];
  expect(nextMoment(moments, now)).toBe('2026-03-02T00:00:00Z');
  expect(nextMoment([], now)).toBeUndefined();
});
