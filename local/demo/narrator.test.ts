import { narrator } from './narrator';

const result = {
  conversationId: 'c',
  runId: 'r',
  executions: 2,
  transitions: 12,
  modelCalls: 4,
  toolCalls: 3,
  messages: 6,
  ms: 800,
};
const usage = { modelCalls: 4, toolCalls: 3, inputTokens: 900, outputTokens: 80, costMicrodollars: 0 };

test('a run that did not finish shows its reason', () => {
  const lines: string[] = [];
  const run = { id: 'r', status: 'failed', reason: 'The key is wrong.', usage };
  narrator((line) => lines.push(line), false).end({ ...result, status: 'failed' }, run);
  expect(lines[0]).toBe('\nfailed: The key is wrong.');
});
