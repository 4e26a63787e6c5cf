import type { ConversationSummary } from '../../../core/state/schemas';
import type { Api } from '../network/api';
import { summary } from './fixtures';
import { readsList } from './read-list';
import { vigilState } from './vigil-state';

beforeEach(() => jest.useFakeTimers({ now: Date.parse('2026-04-01T00:00:00Z') }));
afterEach(() => jest.useRealTimers());

const perPage = 30;

/** A user with this many conversations, last changed first, and the cursors of the requests. */
function given(count: number) {
  const at = (index: number) => new Date(Date.parse('2026-03-31T00:00:00Z') - index * 60_000).toISOString();
  const all = Array.from({ length: count }, (_, index) => summary(`c${index}`, { updatedAt: at(index) }));
  const asked: (string | undefined)[] = [];
  const list = async (cursor?: string) => {
    asked.push(cursor);
    const from = Number(cursor ?? 0);
    const end = from + perPage;
    return { conversations: all.slice(from, end), cursor: end < all.length ? String(end) : undefined };
  };
  const store = vigilState();
  const reads = readsList(store, { list } as unknown as Api);
  return { ...reads, store, all, asked, known: () => [...store.getState().list.keys()] };
}
const idsOf = (all: readonly ConversationSummary[]) => all.map(({ id }) => id);

test('a new connection reads all kept pages; older ones are read on request', async () => {
  const { store, catchUp, readOlder, known } = given(400);
  await catchUp();
  expect([known().length, store.getState().cursor]).toEqual([300, '300']);
  await readOlder();
  expect([known().length, store.getState().cursor]).toEqual([330, '330']);
  await catchUp();
  expect([known().length, store.getState().cursor]).toEqual([330, '330']);
});

test('the first page is read once more after some seconds, because the index lags', async () => {
  const { catchUp, asked, all, known } = given(3);
  await catchUp();
  all.unshift(summary('late', { updatedAt: '2026-03-31T00:01:00.000Z' }));
  await jest.advanceTimersByTimeAsync(5_000);
  expect(asked).toEqual([undefined, undefined]);
  expect(known()).toContain('late');
});

test('deleted conversations leave the list, from any page; nothing is older than the last page', async () => {
  const { store, catchUp, readOlder, all, asked, known } = given(70);
  await catchUp();
  expect(store.getState().cursor).toBeUndefined();
  const calls = asked.length;
  await readOlder();
  expect(asked.length).toBe(calls);
  all.splice(65, 1);
  all.splice(35, 1);
  all.splice(5, 1);
  await catchUp();
  expect(known().toSorted()).toEqual(idsOf(all).toSorted());
});

test('a later catch-up reads everything again, and the first one stops', async () => {
  const { catchUp, asked } = given(400);
  await Promise.all([catchUp(), catchUp()]);
  expect(asked.length).toBe(11);
});

test('a failure is shown only if there is no content yet', async () => {
  const store = vigilState();
  const list = jest.fn().mockRejectedValueOnce(new Error('no')).mockResolvedValueOnce({ conversations: [] });
  const { readList } = readsList(store, { list } as unknown as Api);
  await readList();
  expect(store.getState().listReading).toEqual({ is: 'failed', problem: 'no' });
  await readList();
  list.mockRejectedValueOnce(new Error('no'));
  await readList();
  expect(store.getState().listReading).toEqual({ is: 'ready' });
});
