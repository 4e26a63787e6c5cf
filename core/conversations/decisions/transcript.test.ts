import { storedCall } from '../../../test/support/page/rows';
import type { Item } from '../../base/content/items';
import type { StoredMessage } from '../rows/rows';
import { type CallWithResult, transcript } from './transcript';

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
const call = (step: number, index: number, more: Partial<CallWithResult> = {}): CallWithResult =>
  storedCall(`r.${step}.${index}`, createdAt, {
    modelCallId: `m${step}${index}`,
    agent: 'a',
    step,
    index,
    tool: 'look',
    arguments: { at: index },
    status: 'completed',
    attempts: 1,
    result: `seen ${index}`,
    ...more,
  });

const textOf = (item: Item): string => (item.kind === 'call' ? item.arguments : item.text);

describe('the transcript for the model', () => {
  test('every call has exactly one result right after its reply, in call order, whatever became of it (R2, R5)', () => {
    const statuses = ['completed', 'failed', 'unknown', 'cancelled', 'undone', 'queued'] as const;
    const calls = statuses.map((status, index) =>
      call(1, index, { status, error: status === 'completed' ? undefined : 'because' }),
    );
    const built = transcript(
      [message(1, 'assistant', '', { runId: 'r', step: 1 }), message(2, 'user', 'meanwhile')],
      calls.toReversed(),
      { before: 9 },
    );
    expect(built.slice(0, 6)).toMatchObject(calls.map(({ modelCallId: id }) => ({ kind: 'call', id })));
    expect(built.slice(6, 12)).toMatchObject(calls.map(({ modelCallId: callId }) => ({ kind: 'result', callId })));
    expect(built.slice(6, 12).map(textOf)).toEqual([
      'seen 0',
      'Error: because',
      'Outcome unknown: because',
      'Cancelled: because',
      'This was done and has been undone since.',
      'This was not finished: the run ended before it.',
    ]);
    expect(built.at(-1)).toEqual({ kind: 'message', by: 'user', text: 'meanwhile' });
  });

  test('a message that a tool posted is represented by its call alone', () => {
    const messages = [
      message(1, 'assistant', '', { runId: 'r', step: 1 }),
      message(2, 'assistant', '⏰ Tea', { callId: 'r.1.0' }),
    ];
    expect(JSON.stringify(transcript(messages, [call(1, 0)], { before: 9 }))).not.toContain('Tea');
  });

  test('a queued message comes right before the reply that read it (R110)', () => {
    const messages = [
      message(1, 'user', 'First', { readBySeq: 2 }),
      message(2, 'assistant', '', { runId: 'r', step: 1 }),
      message(3, 'user', 'Second', { readBySeq: 5 }),
      message(4, 'assistant', 'About the first.'),
      message(5, 'assistant', '', { status: 'streaming' }),
    ];
    expect(transcript(messages, [call(1, 0)], { before: 5 }).map(textOf)).toEqual([
      'First',
      '{"at":0}',
      'seen 0',
      'About the first.',
      'Second',
    ]);
  });

  test('where the user is comes before the first message from there, and stays there (R153, R200)', () => {
    const berlin = { timeZone: 'Europe/Berlin', language: 'de' };
    const messages = [
      message(1, 'user', 'Hi', { locale: berlin }),
      message(2, 'assistant', 'Hello', { runId: 'r', step: 1 }),
      message(3, 'user', 'Still here', { locale: berlin }),
      message(4, 'user', 'Tokyo', { locale: { timeZone: 'Asia/Tokyo', language: 'de' } }),
      // It answers a question: the model reads the call instead.
      message(5, 'user', 'Yes', { callId: 'r.1.0', locale: { timeZone: 'Asia/Seoul' } }),
    ];
    const read = (all: StoredMessage[], before = 9) => transcript(all, [], { before }).map(textOf);
    expect(read(messages)).toEqual([
      expect.stringMatching(/^\[A note .*Europe\/Berlin.* The user's language is de\.$/),
      'Hi',
      'Hello',
      'Still here',
      expect.stringContaining('Asia/Tokyo'),
      'Tokyo',
      expect.stringContaining('Asia/Seoul'),
    ]);
    expect(read(messages, 4)).toEqual(read(messages).slice(0, 4));
    const summary = message(6, 'system', 'They greeted.', { covers: 4 });
    expect(read([...messages, summary])).toEqual([
      expect.stringContaining('A summary of the conversation so far: They greeted.'),
      expect.stringContaining('Asia/Tokyo'),
      expect.stringContaining('Asia/Seoul'),
    ]);
  });

  test('a conversation from before messages had it begins with where its user is now (R153)', () => {
    const messages = [message(1, 'user', 'Hi')];
    const read = (locale?: { timeZone?: string }) => transcript(messages, [], { before: 9, locale }).map(textOf);
    expect(read({ timeZone: 'Asia/Tokyo' })).toEqual([expect.stringContaining('Asia/Tokyo'), 'Hi']);
    expect([read(), read({})]).toEqual([['Hi'], ['Hi']]);
  });

  test('a reply that failed is left out, and a note says that it is a note', () => {
    const messages = [message(1, 'assistant', 'Half', { status: 'error' }), message(2, 'system', 'Look again.')];
    expect(transcript(messages, [], { before: 9 })).toEqual([
      { kind: 'message', by: 'user', text: '[A note from the system, not from the user] Look again.' },
    ]);
  });

  test('a name that the model made up goes back in a form that its server reads', () => {
    const calls = [call(1, 0, { tool: 'do it!' })];
    const built = transcript([message(1, 'assistant', '', { runId: 'r', step: 1 })], calls, { before: 9 });
    expect(built[0]).toMatchObject({ tool: 'do_it_' });
  });

  test('opaque data goes back to its maker only (R131)', () => {
    const opaque = { maker: 'one', data: { reasoning: ['secret'] } };
    const messages = [message(1, 'assistant', 'Well.', { runId: 'r', step: 1, opaque })];
    const read = (maker?: string) =>
      transcript(messages, [call(1, 0, { opaque })], { before: 9, maker }).map((item) =>
        item.kind === 'result' ? undefined : item.opaque,
      );
    expect(read('one')).toEqual([opaque.data, opaque.data, undefined]);
    for (const other of [undefined, 'another']) expect(read(other)).toEqual([undefined, undefined, undefined]);
  });
});
