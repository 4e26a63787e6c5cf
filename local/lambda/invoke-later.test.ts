import { movedClock } from '../moved-clock';
import type { Resource } from '../template/template';
import type { InvokeResult } from './answer';
import { openInvokeLater } from './invoke-later';

const lambda = { ref: 'Settle', attributes: { Arn: 'arn:aws:lambda:::function:Settle' } } as unknown as Resource;
const failed: InvokeResult = { payload: '{"errorType":"E"}', functionError: 'Unhandled', executedVersion: '$LATEST' };
const well: InvokeResult = { payload: 'null', executedVersion: '$LATEST' };

const clock = movedClock();
afterAll(() => clock.stop());

/**
 * Invokes a function with this result for each attempt, and moves the clock by five minutes.
 *
 * @returns the failed events.
 */
async function outcomeOf(...answers: (InvokeResult | Error)[]) {
  const invoke = jest.fn(async () => {
    const answer = answers.shift() ?? well;
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const messages: object[] = [];
  const onFailure = () => async (message: object) => void messages.push(message);
  const find = () => lambda;
  openInvokeLater({ invoke, find, onFailure, clock, hasStopped: () => false })('Settle', '{"detail":1}');
  for (let minute = 0; minute < 5; minute++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    clock.advance(60_000);
  }
  return { messages, attempts: invoke.mock.calls.length };
}

test('an event that succeeds within three attempts leaves no message', async () => {
  expect(await outcomeOf(failed, new Error('throttled'), well)).toEqual({ messages: [], attempts: 3 });
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
