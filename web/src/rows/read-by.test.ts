import { message } from '../../../test/support/page/rows';
import { readBy } from './read-by';

const said = (seq: number, readBySeq?: number) => message(seq, { role: 'user', author: 'ada', readBySeq: readBySeq });
const reply = (seq: number, step: number, runId = 'r') => message(seq, { runId, step });

test('a message can be replaced at the step that read it, with that step’s agent', () => {
  const found = readBy([said(1, 2), reply(2, 1), reply(3, 2), said(4, 5), reply(5, 1, 's')]);
  expect([...found]).toEqual([
    [1, { runId: 'r', step: 1, agent: 'travel' }],
    [4, { runId: 's', step: 1, agent: 'travel' }],
  ]);
});

test('a queued message was read by the next run, not by the next reply', () => {
  const found = readBy([said(1, 2), reply(2, 1), said(3, 5), reply(4, 2), reply(5, 1, 's')]);
  expect(found.get(3)).toMatchObject({ runId: 's', step: 1 });
});

test('of several messages that one step read, the last can be replaced; one whose reply was interrupted is not the last', () => {
  expect([...readBy([said(1, 3), said(2, 3), reply(3, 1)]).keys()]).toEqual([2]);
  expect([...readBy([said(1, 2), reply(2, 1), said(3, 4), reply(4, 1)]).keys()]).toEqual([3]);
});

test('unread messages and answers to a call’s question cannot be replaced', () => {
  const answer = { ...said(3, 4), callId: 'c' };
  expect([...readBy([said(1), reply(2, 1), answer, reply(4, 2)]).keys()]).toEqual([]);
});
