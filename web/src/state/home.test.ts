import type { Api } from 'vigil-client';
import type { HomePage } from 'vigil-client/shared';
import { summary } from '../../../test/support/page/rows';
import { readsApprovals } from './approvals';
import { readsHome } from './home';
import { readsList } from './read-list';
import { vigilState } from './vigil-state';

beforeEach(() => jest.useFakeTimers({ now: Date.parse('2026-04-01T00:00:00Z') }));
afterEach(() => jest.useRealTimers());

const nothing = { conversations: [] };
const empty: HomePage = {
  conversations: nothing,
  active: nothing,
  failed: nothing,
  approvals: { approvals: [] },
  timers: { timers: [], conversations: [] },
  usage: [],
};
const settle = () => jest.advanceTimersByTimeAsync(0);

/** Each read of the home waits for `answer`. */
function opened() {
  const store = vigilState();
  const waiting: { give: (page: HomePage) => void; fail: (error: Error) => void }[] = [];
  const other = jest.fn();
  const api = {
    home: () => new Promise((give, fail) => waiting.push({ give, fail })),
    listOpen: other.mockResolvedValue({ conversations: [summary('second')] }),
    list: other,
    approvals: other,
    timers: other,
    usage: other,
  } as unknown as Api;
  const list = readsList(store, api);
  const approvals = readsApprovals(store, api, { user: 'ada', groups: [], claims: {} });
  return { store, waiting, other, ...readsHome(store, api, { list, approvals }) };
}

test('one request fills the list, the approvals, the timers and what is spent (R162)', async () => {
  const { store, waiting, other, read } = opened();
  read();
  const usage = [{ per: 'day' as const, what: 'steps' as const, used: 3, most: 5, variable: 'V' }];
  waiting[0]!.give({ ...empty, conversations: { conversations: [summary('one')], cursor: 'c' }, usage });
  await settle();
  expect(store.getState()).toMatchObject({
    cursor: 'c',
    listReading: { is: 'ready' },
    approvalsReading: { is: 'ready' },
    homeReading: { is: 'ready' },
    usage,
  });
  expect([...store.getState().list.keys()]).toEqual(['one']);
  expect([waiting.length, other.mock.calls]).toEqual([1, []]);
});

test('what does not fit the first pages is read after them', async () => {
  const { store, waiting, other, read } = opened();
  read();
  waiting[0]!.give({ ...empty, active: { conversations: [summary('first')], cursor: 'next' } });
  await settle();
  expect(other.mock.calls).toEqual([['active', 'next']]);
  expect([...store.getState().list.keys()]).toEqual(['first', 'second']);
});

test('the acknowledgements of a connection cause one read, and a second look after some seconds', async () => {
  const { waiting, catchUp } = opened();
  catchUp();
  catchUp();
  await jest.advanceTimersByTimeAsync(50);
  expect(waiting.length).toBe(1);
  waiting[0]!.give(empty);
  await jest.advanceTimersByTimeAsync(5_000);
  expect(waiting.length).toBe(2);
});

test('what happens during a read causes one more; opening the home does not', async () => {
  const { waiting, read, shown } = opened();
  read();
  shown(true);
  waiting[0]!.give(empty);
  await settle();
  expect(waiting.length).toBe(1);
  read();
  read();
  read();
  waiting[1]!.give(empty);
  await settle();
  expect(waiting.length).toBe(3);
});

test('a failure is shown in each place that has nothing yet', async () => {
  const { store, waiting, read } = opened();
  read();
  waiting[0]!.fail(new Error('no'));
  await settle();
  const failed = { is: 'failed', problem: 'no' };
  expect(store.getState()).toMatchObject({ listReading: failed, approvalsReading: failed, homeReading: failed });
});
