import { guardLines } from './guards';

const verdict = (at: string, is: string, reason?: string) => [{ guard: 'tester', at, verdict: is, reason }] as never;

test('what guards have changed is a line each; what has passed is none (R206)', () => {
  expect(guardLines(undefined)).toEqual([]);
  expect(guardLines(verdict('input', 'passed'))).toEqual([]);
  expect(guardLines(verdict('input', 'replaced', 'email'))).toEqual([
    'The agent reads other words here: tester (email).',
  ]);
  expect(guardLines(verdict('input', 'refused', 'No.'))).toEqual(['Withheld from the agent by tester.']);
  expect(guardLines(verdict('call', 'asked', 'Why.'))).toEqual(['Approval asked for by tester.']);
  expect(guardLines(verdict('result', 'refused', 'No.'))).toEqual([
    'The result was withheld from the agent by tester.',
  ]);
});

test('the reason of a refusal is the reply, so its line says whose it is (R206)', () => {
  const reply = { isReply: true };
  expect(guardLines(verdict('output', 'refused', 'No.'), reply)).toEqual([
    'The reply was withheld by tester. This is why.',
  ]);
  expect(guardLines(verdict('input', 'refused', 'No.'), reply)).toEqual([
    'The message was refused by tester. This is why.',
  ]);
});
