import { mergeList } from 'vigil-client/shared';
import { summary } from '../../../test/support/page/rows';
import { nextMoment, sorted } from './list';

const listOf = (...all: Parameters<typeof mergeList>[1]) => mergeList(new Map(), all);

test('conversations that wait come first, then the last changed (R65)', () => {
  const list = listOf(
    summary('old', { updatedAt: '2026-03-01T08:00:00Z' }),
    summary('new', { updatedAt: '2026-03-03T08:00:00Z' }),
    summary('asks', { status: 'waiting', updatedAt: '2026-02-01T08:00:00Z' }),
    summary('delegates', { status: 'waiting', waitsFor: 'agent', updatedAt: '2026-02-02T08:00:00Z' }),
  );
  expect(sorted(list).map(({ id }) => id)).toEqual(['asks', 'new', 'old', 'delegates']);
});

test('the next moment is the first in the future', () => {
  const now = Date.parse('2026-03-01T08:00:00Z');
  const moments = ['2026-03-05T00:00:00Z', undefined, '2026-03-02T00:00:00Z', '2026-02-01T00:00:00Z'];
  expect(nextMoment(moments, now)).toBe('2026-03-02T00:00:00Z');
  expect(nextMoment([], now)).toBeUndefined();
});
