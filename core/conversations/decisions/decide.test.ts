import { currentTime } from '../../../tools/current-time';
import { reminder } from '../../../tools/reminder';
import { schedule } from '../../../tools/timers/schedule';
import { defineAgent } from '../agent/agent';
import type { Reply } from '../agent/model';
import { bytesOf, mostRowBytes } from '../rows/size';
import { decide } from './decide';
import { maxCallsPerReply } from './judge';

const now = new Date('2026-03-01T08:00:00Z');
const spec = { name: 'a', purpose: 'p', instructions: 'i', model: 'm', tools: [currentTime, schedule, reminder] };
const plain = defineAgent(spec);
const travel = defineAgent({ ...spec, end: { phrase: 'TRIP PLANNED' } });
const at = { runId: 'r', step: 3, user: 'ada', now, knownIds: new Set<string>() };
const called = (...toolCalls: [name: string, args: string, id?: string][]): Reply => ({
  text: '',
  toolCalls: toolCalls.map(([name, args, id = 'x']) => ({ id, name, arguments: args })),
});

describe('what follows from a reply', () => {
  test('an agent with a completion phrase asks the user by any other text (R8)', () => {
    expect(decide(travel, { text: 'Where to?', toolCalls: [] }, at).kind).toBe('ask');
  });

  test('the completion phrase beats the other branches: the calls next to it are not made (R7)', () => {
    const reply = { ...called(['current_time', '{}']), text: 'TRIP PLANNED: Kyoto' };
    expect(decide(travel, reply, at)).toMatchObject({ kind: 'done', calls: [{ status: 'cancelled' }] });
  });

  test('an id that the server has used before, or twice in one reply, is replaced by ours', () => {
    const knownIds = new Set(['x']);
    const ids = decide(
      plain,
      called(['current_time', '{}'], ['current_time', '{}', 'y'], ['current_time', '{}', 'y']),
      { ...at, knownIds },
    );
    expect(ids.calls.map(({ modelCallId }) => modelCallId)).toEqual([
      expect.stringMatching(/^call_[0-9a-f]{24}$/),
      'y',
      expect.stringMatching(/^call_[0-9a-f]{24}$/),
    ]);
    const long = decide(plain, called(['current_time', '{}', 'x'.repeat(41)]), at).calls[0]!;
    expect(long.modelCallId).toMatch(/^call_[0-9a-f]{24}$/);
    expect(decide(plain, called(['current_time', '[1]']), at).calls[0]!.arguments).toEqual({ unreadable: '[1]' });
  });

  test('a wait knows until when', () => {
    const { calls } = decide(plain, called(['schedule', '{"at":"2026-03-22T08:00:00Z"}']), at);
    expect(calls).toMatchObject([{ status: 'waiting', until: '2026-03-22T08:00:00.000Z' }]);
  });

  test.each([
    ['an unknown tool (R10)', 'fly', '{}', /no tool "fly".*current_time, schedule, reminder/],
    ['arguments that are no JSON (R11)', 'schedule', '{"at": "2026', /not valid JSON/],
    ['arguments that do not fit the schema (R94)', 'schedule', '{"at":"tomorrow"}', /at: is not a time: write it like/],
    ['a malformed timestamp (R38)', 'schedule', '{"at":"2026-13-01T00:00:00Z"}', /at: /],
    ['a missing argument', 'reminder', '{}', /message: /],
    ['arguments that are no object', 'reminder', '[]', /arguments: /],
  ])('%s is a failed call whose error the model reads next', (_name, tool, args, error) => {
    const decision = decide(plain, called([tool, args]), at);
    expect(decision).toMatchObject({
      kind: 'again',
      calls: [{ status: 'failed', error: expect.stringMatching(error) }],
    });
  });

  test('no arguments at all are an empty object', () => {
    expect(decide(plain, called(['current_time', '']), at).kind).toBe('call');
  });

  test('an empty reply is asked again, with a note', () => {
    expect(decide(plain, { text: ' \n', toolCalls: [] }, at)).toMatchObject({
      kind: 'again',
      note: expect.stringContaining('empty'),
    });
  });

  test('what is too long for a row is cut, or refused with the reason', () => {
    const long = decide(plain, { text: 'é'.repeat(200_000), toolCalls: [] }, at);
    expect(Buffer.byteLength(long.text)).toBeLessThan(301_000);
    expect(long.text).toMatch(/é… \[cut here: the reply was too long to keep\]$/);
    const { calls } = decide(plain, called(['reminder', JSON.stringify({ message: 'x'.repeat(300_000) })]), at);
    expect(calls[0]).toMatchObject({ status: 'failed', error: expect.stringContaining('longer than 200000 bytes') });
    expect(decide(plain, called(...Array(200).fill(['current_time', '{}'])), at).calls).toHaveLength(40);
  });

  test('the longest text with the most files and data fits into a row', () => {
    const file = { type: 'file' as const, id: `f_${'a'.repeat(43)}`, mediaType: 'image/png', size: 1 };
    const files = Array.from({ length: 20 }, () => ({ ...file, filename: '東'.repeat(255) }));
    const reply = { text: 'é'.repeat(200_000), toolCalls: [], opaque: { data: 'x'.repeat(89_000) } };
    const { text, parts, opaque } = decide(plain, reply, { ...at, maker: 'm', kept: { files, notes: [] } });
    expect(parts).toHaveLength(21);
    expect(bytesOf({ text, parts, opaque })).toBeLessThan(mostRowBytes - 5_000);
  });

  test('more calls than a reply may have are refused one by one', () => {
    const { calls } = decide(
      plain,
      called(...Array.from({ length: 18 }, () => ['current_time', '{}'] as [string, string])),
      at,
    );
    expect(calls.filter(({ status }) => status === 'queued')).toHaveLength(maxCallsPerReply);
    expect(calls.filter(({ status }) => status === 'failed')).toHaveLength(2);
  });
});
