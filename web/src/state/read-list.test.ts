import type { Api, ConversationSummary } from 'vigil-client';
import { summary } from '../../../test/support/page/rows';
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

test('the start takes one request, however many there are; older ones are read on request, and again later (R162)', async () => {
  const { store, catchUp, readOlder, asked, known } = given(400);
  await catchUp();
  expect([known().length, store.getState().cursor, asked.length]).toEqual([30, '30', 1]);
  await readOlder();
  await readOlder();
  expect([known().length, store.getState().cursor, asked.length]).toEqual([90, '90', 3]);
  await catchUp();
  expect([known().length, store.getState().cursor]).toEqual([90, '90']);
  expect(asked.slice(3)).toEqual([undefined, '30', '60']);
});

test('some hundred are read ahead to be found by their titles', async () => {
  const { catchUp, readAhead, asked, known } = given(400);
  await catchUp();
  await readAhead();
  await readAhead();
  expect([known().length, asked.length]).toEqual([300, 10]);
});

test('at most ten pages are read again', async () => {
  const { catchUp, readOlder, asked } = given(400);
  await catchUp();
  for (let page = 0; page < 12; page++) await readOlder();
  asked.length = 0;
  await catchUp();
  expect(asked.length).toBe(10);
});

test('a first page that has been asked for is not asked for again', async () => {
  const { catchUp, all, asked, known } = given(70);
  await catchUp(Promise.resolve({ conversations: all.slice(0, 30), cursor: '30' }));
  expect([asked, known().length]).toEqual([[], 30]);
});

test('deleted conversations leave the list, from any page; nothing is older than the last page', async () => {
  const { store, catchUp, readOlder, all, asked, known } = given(70);
  await catchUp();
  await readOlder();
  await readOlder();
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
  const { catchUp, readOlder, asked } = given(400);
  await catchUp();
  await readOlder();
  asked.length = 0;
  await Promise.all([catchUp(), catchUp()]);
  expect(asked).toEqual([undefined, undefined, '30']);
});

test('a failure is shown only if there is no content yet', async () => {
  const store = vigilState();
  const list = jest.fn().mockRejectedValueOnce(new Error('no')).mockResolvedValueOnce({ conversations: [] });
  const { catchUp } = readsList(store, { list } as unknown as Api);
  await catchUp();
  expect(store.getState().listReading).toEqual({ is: 'failed', problem: 'no' });
  await catchUp();
  list.mockRejectedValueOnce(new Error('no'));
  await catchUp();
  expect(store.getState().listReading).toEqual({ is: 'ready' });
});
