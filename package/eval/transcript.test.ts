import type { Conversation } from 'vigil-client';
import { transcriptOf } from './transcript';

/** The same course, with other ids and at another time. */
const course = (digit: string, time: string) => {
  const run = `r_000001_${digit.repeat(25)}`;
  const id = `${run}.00001.00`;
  const reply = (step: number, text: string) => ({ role: 'assistant', author: 'bank', runId: run, step, text });
  const user = `${digit.repeat(8)}-${digit.repeat(4)}-5${digit.repeat(3)}-8${digit.repeat(3)}-${digit.repeat(12)}`;
  return {
    messages: [
      { role: 'user', author: user, text: 'Send 900 to Ada.' },
      reply(1, ''),
      reply(2, 'Sent.'),
      { role: 'user', author: 'somebody else', text: 'Thanks.' },
    ],
    calls: [
      {
        id: `${run}.00001.01`,
        runId: run,
        step: 1,
        index: 1,
        tool: 'note',
        arguments: { at: time },
        status: 'running',
      },
      {
        id,
        runId: run,
        step: 1,
        index: 0,
        tool: 'transfer',
        arguments: { to: 'Ada' },
        status: 'completed',
        callbackId: id,
        result: { id: run, at: time, user, again: run },
      },
    ],
    callbacks: [{ id, callId: id, kind: 'approval', status: 'answered', outcome: { approved: true } }],
  } as unknown as Conversation;
};

test('a transcript has what happened in order, and the same course has the same transcript (R237)', () => {
  const transcript = transcriptOf(course('a', '2040-01-02T09:00:00.504Z'));
  expect(transcript).toEqual([
    { kind: 'said', by: 'user', text: 'Send 900 to Ada.' },
    {
      kind: 'call',
      tool: 'transfer',
      arguments: { to: 'Ada' },
      outcome: 'completed',
      asked: true,
      answer: { id: '#1', at: '#2', user: '#3', again: '#1' },
    },
    { kind: 'call', tool: 'note', arguments: { at: '#2' }, outcome: 'open' },
    { kind: 'said', by: 'bank', text: 'Sent.' },
    { kind: 'said', by: 'person', text: 'Thanks.' },
  ]);
  expect(transcriptOf(course('b', '2041-05-06T07:08:09Z'))).toEqual(transcript);
});
