import { wrongReadings } from '../../../test/support/odd-answers';
import { IsolatedAnswer, IsolatedRequest, isolatedAnswerIn } from './isolated-call';

const own = '{"__proto__":{"a":1},"b":2}';

test('a field of any name goes to an isolated tool and comes back, `__proto__` too (R192)', () => {
  const { question, answer } = {
    question: `{"message":"?","form":${own}}`,
    answer: `{"asks":{"message":"?","form":${own}}}`,
  };
  const request = `{"input":${own},"callId":"c","attempt":1,"now":"2026-03-01T08:00:00Z","timeZone":"UTC","answers":[${question.replace(/}$/, `,"content":${own}}`)}]}`;
  expect(JSON.stringify(IsolatedRequest.parse(JSON.parse(request)))).toBe(request);
  for (const text of [answer, `{"output":${own}}`])
    expect(JSON.stringify(IsolatedAnswer.parse(JSON.parse(text)))).toBe(text);
});

test.each([null, [], 'x', 5, undefined])('an input of %j is none (R189)', (input) => {
  const request = { input, callId: 'c', attempt: 1, now: '2026-03-01T08:00:00Z' };
  expect(IsolatedRequest.safeParse(request).success).toBe(false);
});

describe('whatever a function of a tool answers (R189)', () => {
  const failure = {
    name: 'ToolFailed',
    message: 'Busy.',
    cause: 'TimeoutError',
    causeStatus: 503,
    causeCode: 'ETIMEDOUT',
    notBefore: '2026-03-01T08:00:00Z',
    frames: 'tools/book.ts:3:1',
  };
  const asks = { message: 'Which?', form: { type: 'object', properties: { seat: { type: 'string' } } } };
  const read = (json = '') => isolatedAnswerIn(json);

  test('it is an answer', async () => {
    for (const answer of [{ output: { booked: [1, 'x'] } }, { failure }, { asks }])
      expect(await wrongReadings(answer, { read, isFit: (one) => IsolatedAnswer.parse(one) })).toEqual([]);
  });

  test('a failure is one, whatever it says', async () => {
    const within = (json = '') => isolatedAnswerIn(`{"failure":${json}}`);
    const isFit = (answer: IsolatedAnswer) =>
      'failure' in answer || /but not with an object|its result/.test(String((answer as { output?: unknown }).output));
    expect(await wrongReadings(failure, { read: within, isFit })).toEqual([]);
  });
});
