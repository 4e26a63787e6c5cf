import type { Callback, Message } from '../../core/base/state/schemas';
import { recordedCall, recordedConversation } from '../../test/support/stories/recorded';
import { transcriptOf } from './transcript';
import { until } from './until';

// What a judge reads of a conversation that went on after the reply.

const [day2, day5] = ['2026-11-02T09:00:00.000Z', '2026-11-05T09:00:00.000Z'];
const [before, after] = ['2026-11-02T08:00:00.000Z', '2026-11-04T09:00:00.000Z'];
const call = (step: number, tool: string, more: object = {}) =>
  recordedCall('r_1', step, { tool, completedAt: before, result: `of ${tool}`, ...more });
const approval = (callId: string, more: object = {}) =>
  ({ id: `a.${callId}`, callId, kind: 'approval', createdAt: before, ...more }) as Callback;
const conversation = recordedConversation([
  call(1, 'known'),
  call(1, 'late', { completedAt: after, error: 'Denied.', status: 'failed', callbackId: 'late' }),
  call(1, 'undone', { status: 'undone', undoneAt: after }),
  // The clock of another machine.
  call(2, 'own'),
  recordedCall('r_2', 1, { tool: 'next', completedAt: day5 }),
]);
const idOf = (name: string) => conversation.calls.find(({ tool }) => tool === name)!.id;
const decided = [
  approval(idOf('late'), { id: 'late', status: 'answered', outcome: { approved: false }, closedAt: after }),
  approval(idOf('known'), { status: 'answered', closedAt: after, createdAt: after }),
  approval(idOf('own'), { status: 'answered', closedAt: before }),
];
const shown = (seq: number, more: Partial<Message>[] = []) => {
  const messages = [...conversation.messages, ...(more as Message[])];
  const whole = { ...conversation, messages, callbacks: decided };
  return transcriptOf(until(whole, messages.find((one) => one.seq === seq)!)).map((one) =>
    one.kind === 'said' ? one.text : [one.tool, one.outcome, one.answer, one.asked].filter(Boolean).join(' '),
  );
};

test('nothing is in it that came after the reply, and nothing of what became later of its calls (R236)', () => {
  expect(shown(2)).toEqual(['Send 900 to Ada', 'Yes.', 'known open', 'late open', 'undone open']);
  const first = ['Send 900 to Ada', 'Yes.', 'known completed of known', 'late open true', 'undone completed of undone'];
  expect(shown(4)).toEqual([...first, 'Yes.', 'own open', 'Yes.', 'own open']);
  expect(shown(6).slice(3, 5)).toEqual(['late denied Denied. true', 'undone undone of undone']);
  expect(shown(6).at(-1)).toBe('next open');
});

test('a message that came while the reply was written is before it if it was read, and else is left out (R236)', () => {
  const said = { ...conversation.messages[0]!, createdAt: day2 };
  const late = [
    { ...said, seq: 7, text: 'Read.', readBySeq: 4 },
    { ...said, seq: 8, text: 'Unread.', readBySeq: 6 },
  ];
  const words = shown(4, late).filter((one) => !one.includes('open') && !one.includes('completed'));
  expect(words).toEqual(['Send 900 to Ada', 'Yes.', 'Yes.', 'Read.', 'Yes.']);
  expect(shown(6, late)).toContain('Unread.');
});
