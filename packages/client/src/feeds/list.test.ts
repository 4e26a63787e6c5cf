import { summary } from '../../../../test/support/page/rows';
import { mergeList, type ReadPage, withoutClosed, withoutDeleted } from './list';

const listOf = (...all: Parameters<typeof mergeList>[1]) => mergeList(new Map(), all);

test('the highest version of each conversation is kept, in any order of arrival', () => {
  const late = summary('a', { version: 3, title: 'new' });
  const early = summary('a', { version: 2, title: 'old' });
  expect(listOf(late, early)).toEqual(listOf(early, late));
  const list = listOf(late);
  expect(mergeList(list, [early])).toBe(list);
});

describe('a conversation deleted without a push', () => {
  const at = (id: string, hour: number) => summary(id, { updatedAt: `2026-03-01T0${hour}:00:00.000Z` });
  const [new_, middle, old] = [at('new', 9), at('middle', 8), at('old', 7)];
  const list = listOf(new_, middle, old);
  const now = Date.parse('2026-03-01T10:00:00Z');
  const left = (read: Partial<ReadPage>, held = list) => [
    ...withoutDeleted(held, { page: [], asked: held, last: false, now, ...read }).keys(),
  ];

  test('leaves the list; older ones may be on the next page', () => {
    expect(left({ page: [new_, old] })).toEqual(['new', 'old']);
    expect(left({ page: [new_] })).toEqual(['new', 'middle', 'old']);
    expect(left({ page: [new_], last: true })).toEqual(['new']);
    expect(left({ page: [], last: true })).toEqual([]);
  });

  test('is distinguished from one on the previous page', () => {
    expect(left({ page: [old], after: middle.updatedAt, last: true })).toEqual(['new', 'middle', 'old']);
    expect(left({ page: [], after: middle.updatedAt, last: true })).toEqual(['new', 'middle']);
  });

  test('is distinguished from one changed since the request, and from one too new for the index', () => {
    const changed = summary('middle', { ...middle, version: 2 });
    expect(left({ page: [new_, old], asked: list }, listOf(new_, changed, old))).toEqual(['new', 'middle', 'old']);
    expect(left({ page: [new_, old], now: Date.parse(middle.updatedAt) + 9_000 })).toEqual(['new', 'middle', 'old']);
    expect(withoutDeleted(list, { page: [new_, middle, old], asked: list, last: true, now })).toBe(list);
  });
});

test('the reason of a failed run is kept, whichever of two reads of one version comes first (R156)', () => {
  const [bare, told] = [summary('a', { status: 'failed' }), summary('a', { status: 'failed', reason: 'No key.' })];
  for (const order of [
    [bare, told],
    [told, bare],
  ])
    expect(mergeList(new Map(), order).get('a')).toMatchObject({ reason: 'No key.' });
});

test('a conversation that was deleted without a push leaves the home, unless it is new or has changed (R156)', () => {
  const now = Date.parse('2026-03-02T00:00:00Z');
  const at = (id: string, more: object) =>
    summary(id, { status: 'sleeping', updatedAt: '2026-03-01T00:00:00Z', ...more });
  const asked = listOf(at('gone', {}), at('kept', {}), at('rests', { status: 'done' }), at('moved', {}));
  const list = mergeList(asked, [at('moved', { version: 2 }), at('new', { updatedAt: '2026-03-01T23:59:59Z' })]);
  const left = withoutClosed(list, { open: [at('kept', {})], asked, now });
  expect([...left.keys()].sort()).toEqual(['kept', 'moved', 'new', 'rests']);
});
