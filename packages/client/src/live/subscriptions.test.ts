import type { ClientMessage } from './protocol';
import { subscriptions } from './subscriptions';

beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

const list = { list: true } as const;
const a = { conversationId: 'a' };

function given() {
  const sent: ClientMessage[] = [];
  const asked = subscriptions((message) => void sent.push(message));
  asked.subscribe(list);
  asked.subscribe(a);
  return { asked, sent, taken: () => sent.splice(0) };
}

test('rejected subscriptions are requested again, acknowledged ones are not', () => {
  const { asked, taken } = given();
  asked.acknowledged(list);
  taken();
  asked.later();
  jest.advanceTimersByTime(999);
  expect(taken()).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(taken()).toEqual([{ action: 'subscribe', ...a }]);
});

test('two rejections lead to one retry; each pause is longer, until all are acknowledged', () => {
  const { asked, taken } = given();
  taken();
  asked.later();
  asked.later();
  jest.advanceTimersByTime(1_000);
  expect(taken()).toHaveLength(2);
  asked.later();
  jest.advanceTimersByTime(1_999);
  expect(taken()).toHaveLength(0);
  jest.advanceTimersByTime(1);
  expect(taken()).toHaveLength(2);
  asked.acknowledged(list);
  asked.acknowledged(a);
  asked.subscribe(a);
  taken();
  asked.later();
  jest.advanceTimersByTime(1_000);
  expect(taken()).toEqual([{ action: 'subscribe', ...a }]);
});

test('an ended subscription is not requested again', () => {
  const { asked, taken } = given();
  asked.unsubscribe(a);
  expect(taken().at(-1)).toEqual({ action: 'unsubscribe', ...a });
  asked.again();
  expect(taken()).toEqual([{ action: 'subscribe', ...list }]);
});

test('an unknown connection is replaced, after the same pause', () => {
  const { asked, taken } = given();
  taken();
  const anew = jest.fn();
  asked.later(anew);
  jest.advanceTimersByTime(1_000);
  expect([anew.mock.calls.length, taken()]).toEqual([1, []]);
});
