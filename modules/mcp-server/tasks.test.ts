import type { Conversation } from '../../core/base/state/schemas';
import { requestState } from './questions';
import { isOver, placeOf, taskId, taskOf } from './tasks';
import { turnOf, wordsOf } from './turn';

const now = new Date('2026-03-01T08:00:00.000Z');
const at = now.toISOString();

/** A conversation whose first message is the task. */
const shown = (more: object, reply: object = {}, run: object = {}, said: object = {}) =>
  ({
    id: 'c_1',
    agent: 'helper',
    status: 'running',
    updatedAt: at,
    more: false,
    calls: [],
    timers: [],
    callbacks: [],
    messages: [
      { seq: 3, role: 'user', author: 'ada', text: 'Go', status: 'complete', readBySeq: 4, createdAt: at, ...said },
      {
        seq: 4,
        role: 'assistant',
        author: 'helper',
        text: 'Gone.',
        status: 'complete',
        runId: 'r_2',
        createdAt: at,
        ...reply,
      },
    ],
    run: { id: 'r_2', ...run },
    ...more,
  }) as unknown as Conversation;

const question = { id: 'q', kind: 'question', status: 'pending', prompt: 'Where?', expiresAt: at, createdAt: at };
const approval = { id: 'a', kind: 'approval', status: 'pending', prompt: 'Pay?', tool: 'pay', expiresAt: at };

test.each<[string, Conversation, object]>([
  ['a run at work', shown({}), { status: 'working', pollIntervalMs: 2_000 }],
  ['a run that is done', shown({ status: 'done' }), { status: 'completed' }],
  ['one that failed', shown({ status: 'failed' }, {}, { reason: 'Why' }), { status: 'completed' }],
  ['one that reached a limit', shown({ status: 'limited' }), { status: 'completed' }],
  ['one whose effects are being undone', shown({ status: 'cancelling' }), { status: 'cancelled' }],
  ['a question', shown({ status: 'waiting', callbacks: [question] }), { status: 'input_required' }],
  ['an expired question', shown({ callbacks: [{ ...question, status: 'expired' }] }), { status: 'working' }],
  [
    'a question of an earlier message',
    shown({ callbacks: [{ ...question, createdAt: '2026-02-28T08:00:00.000Z' }] }),
    { status: 'working' },
  ],
  [
    'an approval',
    shown({ status: 'waiting', waitsFor: 'you', callbacks: [approval] }),
    { status: 'working', statusMessage: 'Waits for a person’s approval of pay', pollIntervalMs: 10_000 },
  ],
  ['another agent', shown({ status: 'waiting', waitsFor: 'agent' }), { statusMessage: 'Waits for agent' }],
  [
    'a long sleep',
    shown({ status: 'sleeping', until: '2026-03-09T08:00:00.000Z' }),
    { status: 'working', pollIntervalMs: 60_000 },
  ],
  ['a short sleep', shown({ status: 'sleeping', until: '2026-03-01T08:00:05.000Z' }), { pollIntervalMs: 5_000 }],
  ['a later run', shown({}, { runId: 'r_1' }), { status: 'completed' }],
  [
    'a later run, whose own was cancelled before it began',
    shown({}, {}, {}, { readBySeq: undefined }),
    { status: 'cancelled' },
  ],
  ['an answer', shown({}, {}, {}, { readBySeq: undefined, callId: 'r_2.00001.00' }), { status: 'working' }],
  ['another message of the user', shown({}, { role: 'user', runId: undefined }), { status: 'working' }],
])('a task and %s (R222)', (_, conversation, task) => {
  expect(taskOf(conversation, { conversation: 'c_1', seq: 3 }, now)).toMatchObject({ taskId: 'c_1.3', ...task });
});

test('a task’s id names the message, and the state of a question both (R222)', () => {
  const place = { conversation: 'c_1', seq: 3 };
  expect(placeOf(taskId(place))).toEqual(place);
  for (const id of ['c_1', 'c_1.0', 'c_1.x', '.3', 'c/1.3']) expect(placeOf(id)).toBeUndefined();
  expect(requestState('c_1.3.r_2.00001.00')).toEqual({ place, question: 'r_2.00001.00' });
  for (const state of ['', 'c_1.3', 'c_1.0.q', 'c_1.3.', 'c_1.3.q q', `c_1.3.${'q'.repeat(121)}`])
    expect(requestState(state)).toBeUndefined();
  expect(
    ['running', 'waiting', 'sleeping', 'done', 'limited'].map((status) => isOver(shown({ status }), place)),
  ).toEqual([false, false, false, true, true]);
});

test('the result says what is asked of whom, and what is left out (R176)', () => {
  const turn = turnOf(
    shown({ status: 'waiting', more: true, callbacks: [question, approval, { ...approval, status: 'answered' }] }),
    'https://vigil.test',
  );
  expect(turn).toMatchObject({ questions: [{ id: 'q' }], approvals: [{ tool: 'pay' }], more: true });
  expect(wordsOf(turn, 3).split('\n\n')).toEqual([
    'helper: Gone.',
    'There are further messages. Read them with after: 4.',
    'The agent asks its user: Where?\nSend the user’s answer as a message, with question: q',
    'pay waits for a person’s approval: Pay?\nAsked for pay.\nA person decides on the page: https://vigil.test/#/c/c_1',
    'Conversation: c_1',
  ]);
  expect(turnOf(shown({}, { status: 'streaming' })).messages).toHaveLength(1);
  expect(turnOf(shown({}, { covers: 2 })).messages).toHaveLength(1);
  const failed = shown({ status: 'failed' }, {}, { reason: 'The model is gone.', result: { a: 1 } });
  expect(wordsOf(turnOf(failed))).toContain('Result: {"a":1}\n\nThe run is failed: The model is gone.');
});
