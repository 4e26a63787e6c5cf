import { type Api, RequestFailed } from 'vigil-client';
import { noUsage } from '../../../core/state/schemas';
import { message, summary } from '../../../test/support/page/rows';
import { queue } from '../kept/unsent';
import { readsConversation } from './read-conversation';
import { vigilState } from './vigil-state';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const page = (from: number, to: number, more = false) => ({
  ...{ ...summary('a'), usage: noUsage, calls: [], callbacks: [], timers: [], more },
  messages: Array.from({ length: to - from + 1 }, (_, index) => message(from + index)),
});

/** A live page with the conversation open, and the API's responses in order. */
function given(...answers: (ReturnType<typeof page> | Error)[]) {
  const asked: number[] = [];
  const api = {
    async read(_id: string, after: number) {
      asked.push(after);
      const answer = answers.shift() ?? page(1, 1);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const store = vigilState();
  store.setState({ open: 'a', connection: 'live' });
  const read = readsConversation(store, api as unknown as Api);
  return { store, read, asked, readingOf: () => store.getState().known.get('a')?.reading };
}
const busy = new RequestFailed(503, 'Busy.');

test('reads page after page, then from behind the settled part', async () => {
  const { read, asked, readingOf } = given(page(1, 60, true), page(61, 100), page(50, 100));
  await read('a');
  await read('a');
  expect([asked, readingOf()]).toEqual([[0, 60, 49], { is: 'ready' }]);
});

test('a request during a read leads to another read', async () => {
  const { read, asked } = given();
  await Promise.all([read('a'), read('a'), read('a')]);
  expect(asked).toHaveLength(2);
});

test('a temporarily failed read is retried while the conversation is open and connected', async () => {
  const { store, read, asked, readingOf } = given(busy, busy, page(1, 1), busy);
  await read('a');
  expect(readingOf()).toEqual({ is: 'failed', problem: 'Busy.' });
  await jest.advanceTimersByTimeAsync(10_000);
  expect([asked.length, readingOf()]).toEqual([3, { is: 'ready' }]);
  await read('a');
  expect(readingOf()).toEqual({ is: 'ready' });
  store.setState({ connection: 'lost' });
  await jest.advanceTimersByTimeAsync(10_000);
  expect(asked).toHaveLength(4);
});

test('a missing conversation is gone, unless it is not stored yet', async () => {
  const missing = new RequestFailed(404, 'No such conversation.');
  const { store, read, readingOf } = given(missing, missing);
  const start = { clientMessageId: 'm', conversationId: 'a', agent: 'travel', text: 'Hi', createdAt: '' };
  store.setState({ unsent: queue([], start) });
  await read('a');
  expect(readingOf()).toBeUndefined();
  store.setState({ unsent: [] });
  await read('a');
  expect(readingOf()).toEqual({ is: 'gone' });
});
