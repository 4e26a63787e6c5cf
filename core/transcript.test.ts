import { defineAgent } from './agent';
import type { StoredMessage } from './store/rows';
import { type CallWithResult, transcript } from './transcript';

const agent = defineAgent({ name: 'a', purpose: 'p', instructions: 'Be good.', model: 'm', tools: [] });
const createdAt = '2026-03-01T08:00:00.000Z';
const message = (
  seq: number,
  role: StoredMessage['role'],
  text: string,
  more: Partial<StoredMessage> = {},
): StoredMessage => ({
  seq,
  version: 1,
  role,
  author: role,
  text,
  status: 'complete',
  createdAt,
  ...more,
});
const call = (step: number, index: number, more: Partial<CallWithResult> = {}): CallWithResult => ({
  id: `r.${step}.${index}`,
  modelCallId: `m${step}${index}`,
  user: 'ada',
  agent: 'a',
  version: 1,
  runId: 'r',
  step,
  index,
  tool: 'look',
  arguments: { at: index },
  status: 'completed',
  attempts: 1,
  result: `seen ${index}`,
  createdAt,
  ...more,
});

describe('the transcript for the model', () => {
  test('R3 has the system prompt and everything before the step, in the order of the log', () => {
    const messages = [
      message(1, 'user', 'Hi'),
      message(2, 'assistant', 'Hello', { runId: 'r', step: 1 }),
      message(3, 'user', 'Bye'),
      message(4, 'user', 'late'),
    ];
    expect(transcript(agent, messages, [], 4)).toEqual([
      { role: 'system', content: 'Be good.' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: 'Bye' },
    ]);
  });

  test('R2 R5 every call has exactly one result right after its reply, in call order, whatever became of it', () => {
    const statuses = ['completed', 'failed', 'unknown', 'cancelled', 'undone', 'queued'] as const;
    const calls = statuses.map((status, index) =>
      call(1, index, { status, error: status === 'completed' ? undefined : 'because' }),
    );
    const built = transcript(
      agent,
      [message(1, 'assistant', '', { runId: 'r', step: 1 }), message(2, 'user', 'meanwhile')],
      calls.toReversed(),
      9,
    );
    expect(built[1]).toMatchObject({
      content: null,
      tool_calls: calls.map(({ modelCallId }) => ({ id: modelCallId })),
    });
    expect(built.slice(2, 8).map((part) => (part as { content: string }).content)).toEqual([
      'seen 0',
      'Error: because',
      'Outcome unknown: because',
      'Cancelled: because',
      'This was done and has been undone since.',
      'This was not finished: the run ended before it.',
    ]);
    expect(built.at(-1)).toEqual({ role: 'user', content: 'meanwhile' });
  });

  test('what a tool call put into the conversation is told by the call alone', () => {
    const messages = [
      message(1, 'assistant', '', { runId: 'r', step: 1 }),
      message(2, 'assistant', '⏰ Tea', { callId: 'r.1.0' }),
    ];
    expect(JSON.stringify(transcript(agent, messages, [call(1, 0)], 9))).not.toContain('Tea');
  });

  test('R110 a message that was queued stands before the reply that took it up, not among those to another one', () => {
    const messages = [
      message(1, 'user', 'First', { heardAt: 2 }),
      message(2, 'assistant', '', { runId: 'r', step: 1 }),
      message(3, 'user', 'Second', { heardAt: 5 }),
      message(4, 'assistant', 'About the first.'),
      message(5, 'assistant', '', { status: 'streaming' }),
    ];
    expect(transcript(agent, messages, [call(1, 0)], 5).map(({ role, content }) => [role, content])).toEqual([
      ['system', 'Be good.'],
      ['user', 'First'],
      ['assistant', null],
      ['tool', 'seen 0'],
      ['assistant', 'About the first.'],
      ['user', 'Second'],
    ]);
  });

  test('a message that broke off for good is left out, a note from us says that it is one', () => {
    const messages = [message(1, 'assistant', 'Half', { status: 'error' }), message(2, 'system', 'Look again.')];
    expect(transcript(agent, messages, [], 9).slice(1)).toEqual([
      { role: 'user', content: '[A note from the system, not from the user] Look again.' },
    ]);
  });

  test('a name that the model made up goes back in a form that its server reads', () => {
    const built = transcript(
      agent,
      [message(1, 'assistant', '', { runId: 'r', step: 1 })],
      [call(1, 0, { tool: 'do it!' })],
      9,
    );
    expect(built[1]).toMatchObject({ tool_calls: [{ function: { name: 'do_it_' } }] });
  });
});
