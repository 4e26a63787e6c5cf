import { movedClock } from 'vigil-stepfunctions';
import type { Resource } from '../template/template';
import type { InvokeResult } from './answer';
import { openInvokeLater } from './invoke-later';

const lambda = { ref: 'Settle', attributes: { Arn: 'arn:aws:lambda:::function:Settle' } } as unknown as Resource;
const failed: InvokeResult = { payload: '{"errorType":"E"}', functionError: 'Unhandled', executedVersion: '$LATEST' };
const well: InvokeResult = { payload: 'null', executedVersion: '$LATEST' };

const clock = movedClock();
afterAll(() => clock.stop());

/**
 * Invokes a function with this result for each attempt, then well, and moves the clock until an event would be given up.
 *
 * @returns the failed events.
 */
async function outcomeOf(...answers: (InvokeResult | Error)[]) {
  const queued = clock.now();
  const at: number[] = [];
  const invoke = jest.fn(async () => {
    at.push(Math.round((clock.now() - queued) / 1_000));
    const answer = answers.shift() ?? well;
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const messages: object[] = [];
  const onFailure = () => async (message: object) => void messages.push(message);
  const find = () => lambda;
  openInvokeLater({ invoke, find, onFailure, clock, hasStopped: () => false })('Settle', '{"detail":1}');
  // Longer than the oldest event, at first by seconds.
  for (let step = 0; step < 120; step++) {
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(step < 20 ? 10_000 : 300_000);
  }
  await new Promise((resolve) => setImmediate(resolve));
  return { messages, attempts: invoke.mock.calls.length, at };
}

test('an event that succeeds within three attempts leaves no message', async () => {
  expect(await outcomeOf(failed, failed, well)).toMatchObject({ messages: [], attempts: 3 });
});

test('an event that fails is kept, with the last result of the function', async () => {
  const { messages, attempts } = await outcomeOf(failed, failed, failed);
  expect(attempts).toBe(3);
  expect(messages).toEqual([
    expect.objectContaining({
      requestContext: expect.objectContaining({ condition: 'RetriesExhausted', approximateInvokeCount: 3 }),
      requestPayload: { detail: 1 },
      responsePayload: { errorType: 'E' },
    }),
  ]);
});

test('an event that is throttled for hours is run in the end, with all its attempts left (R168)', async () => {
  const throttled = Array.from({ length: 30 }, () => new Error('throttled'));
  const { messages, attempts, at } = await outcomeOf(...throttled, failed, failed, well);
  expect(messages).toEqual([]);
  expect(attempts).toBe(33);
  // It comes back soon at first, and later every five minutes.
  expect(at[1]).toBeLessThan(60);
  expect(at[29]! - at[28]!).toBe(300);
  expect(at[30]).toBeGreaterThan(3_600);
});

test('after six hours, a throttled event is kept as too old', async () => {
  const { messages, at } = await outcomeOf(...Array.from({ length: 200 }, () => new Error('throttled')));
  expect(messages).toEqual([
    expect.objectContaining({ requestContext: expect.objectContaining({ condition: 'EventAgeExceeded' }) }),
  ]);
  expect(at.at(-1)).toBeGreaterThanOrEqual(6 * 3_600);
});
