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

test('the story names each day once, and shows its cost', () => {
  const lines: string[] = [];
  const { tell, end } = narrator((line) => lines.push(line), false);
  const night = new Date('2026-03-10T22:00:00Z');
  const morning = new Date('2026-03-11T08:00:00Z');
  tell({ at: night, kind: 'message', author: 'you', text: 'Remind me\nat 8' });
  tell({ at: night, kind: 'state', execution: 'r-1', state: 'CallModel' });
  tell({ at: night, kind: 'asleep', until: morning.toISOString() });
  tell({ at: morning, kind: 'result', tool: 'schedule', outcome: 'x'.repeat(500) });
  const run = { id: 'r', status: 'done', usage };
  end({ ...result, status: 'done' }, run);
  expect(lines).toEqual([
    '\nTuesday 10 March 2026',
    '22:00:00  you       Remind me',
    '                    at 8',
    '22:00:00  state     CallModel',
    '22:00:00  asleep    until Wednesday 11 March 2026, 08:00 UTC; nothing runs, nothing is billed',
    '\nWednesday 11 March 2026',
    `08:00:00  result    schedule → ${'x'.repeat(157)}…`,
    '\ndone',
    '  executions   2',
    "  transitions  12  ($0.000300 at Standard's price)",
    '  model calls  4  (900 tokens in, 80 out)',
    '  tool calls   3',
    '  messages     6',
    "  took         800 ms of this machine's time",
  ]);
});

test('a run that did not finish shows its reason', () => {
  const lines: string[] = [];
  const run = { id: 'r', status: 'failed', reason: 'The key is wrong.', usage };
  narrator((line) => lines.push(line), false).end({ ...result, status: 'failed' }, run);
  expect(lines[0]).toBe('\nfailed: The key is wrong.');
});
