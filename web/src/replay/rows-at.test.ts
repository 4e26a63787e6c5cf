import type { Callback, Message } from 'vigil-client';
import type { Call, Run } from 'vigil-client/shared';
import { call as aCall, callback as aCallback, message as aMessage } from '../../../test/support/page/rows';
import { momentAt, momentsOf, type Rows, stepFrom } from './moments';
import { rowsAt, runAt } from './rows-at';

// The rows of a run as they were: every state of a call, at and around each of its times.

const at = (second: number) => new Date(Date.UTC(2026, 2, 1, 8) + second * 1_000).toISOString();
const reply = (seq: number, from: number, to: number, rest: Partial<Message> = {}) =>
  aMessage(seq, { runId: 'r', step: seq - 1, createdAt: at(from), completedAt: at(to), ...rest });
const said = (seq: number, rest: Partial<Message> = {}) =>
  aMessage(seq, { role: 'user', author: 'ada', createdAt: at(0), runId: 'r', ...rest });
/** A call of the reply that was complete at second 2. */
const call = (rest: Partial<Call>) => aCall('c', { createdAt: at(2), arguments: { cents: 5 }, ...rest });
const approval = (rest: Partial<Callback> = {}) =>
  aCallback('c', {
    callId: 'c',
    createdAt: at(2),
    closedAt: at(5),
    status: 'answered',
    tool: 'pay',
    arguments: { cents: 5 },
    outcome: { approved: true, by: 'ada' },
    ...rest,
  });
const rowsOf = (rows: Partial<Rows>): Rows => ({
  messages: [said(1, { readBySeq: 2 }), reply(2, 1, 2)],
  calls: [],
  callbacks: [],
  ...rows,
});
const statuses = (rows: Rows, ...seconds: number[]) =>
  seconds.map((second) => rowsAt(rows, at(second)).calls[0]?.status);

test('a message is there from its time on, unread until the reply that read it began (R163)', () => {
  const rows = rowsOf({ messages: [said(1, { readBySeq: 2, createdAt: at(1) }), reply(2, 3, 4)] });
  expect(rowsAt(rows, at(0)).messages).toEqual([]);
  const [waiting] = rowsAt(rows, at(2)).messages;
  expect(waiting).toMatchObject({ seq: 1, status: 'pending' });
  expect(waiting).not.toHaveProperty('readBySeq');
  expect(rowsAt(rows, at(3)).messages[0]).toBe(rows.messages[0]);
});

test('a reply is being written, without the words that it has today, until it was complete (R163)', () => {
  const rows = rowsOf({ messages: [reply(2, 1, 4, { usage: undefined, cutOff: 'length' })] });
  const [then] = rowsAt(rows, at(3)).messages;
  expect(then).toMatchObject({ status: 'streaming', text: '' });
  for (const later of ['completedAt', 'usage', 'cutOff']) expect(then).not.toHaveProperty(later);
  expect(rowsAt(rows, at(4)).messages[0]).toBe(rows.messages[0]);
});

test('what failed to reach the model has failed from then on only', () => {
  const failedAttempts = [2, 3].map((second, index) => ({ attempt: index + 1, endedAt: at(second), error: 'busy' }));
  const rows = rowsOf({ messages: [reply(2, 1, 4, { failedAttempts })] });
  const failed = [1, 2, 3].map((second) => rowsAt(rows, at(second)).messages[0]!.failedAttempts?.length);
  expect(failed).toEqual([undefined, 1, 2]);
});

test('Vigil’s note in place of a reply is there when it was written; a summary covers nothing before', () => {
  const rows = rowsOf({
    messages: [reply(2, 1, 4, { role: 'system', author: 'vigil' }), reply(3, 1, 4, { covers: 1 })],
  });
  expect(rowsAt(rows, at(3)).messages).toMatchObject([{ seq: 3, status: 'streaming' }]);
  expect(rowsAt(rows, at(3)).messages[0]).not.toHaveProperty('covers');
  expect(rowsAt(rows, at(4))).toMatchObject({ messages: [{ author: 'vigil' }, { covers: 1 }] });
});

/** Each second with the status of the call then; `-` where there is none yet. */
test.each<[string, Partial<Call>, Callback[], times: string]>([
  [
    'a call that ran',
    { startedAt: at(3), completedAt: at(5), result: 1 },
    [],
    '1 - · 2 queued · 3 running · 4 running · 5 completed',
  ],
  [
    'a call that was retried',
    {
      startedAt: at(3),
      completedAt: at(9),
      attempts: 3,
      failedAttempts: [
        { attempt: 1, startedAt: at(3), endedAt: at(4), error: 'e' },
        { attempt: 2, startedAt: at(6), endedAt: at(7), error: 'e' },
      ],
    },
    [],
    '3 running · 4 queued · 5 queued · 6 running · 7 queued · 9 completed',
  ],
  [
    'an approved call',
    { startedAt: at(6), completedAt: at(7), callbackId: 'c' },
    [approval()],
    '2 waiting · 4 waiting · 5 queued · 6 running · 7 completed',
  ],
  [
    'a call whose attempt asked for an approval',
    { startedAt: at(3), completedAt: at(8), callbackId: 'c', attempts: 2 },
    [approval({ createdAt: at(4), closedAt: at(6) })],
    '2 queued · 3 running · 4 waiting · 6 queued · 8 completed',
  ],
  [
    'a denied call',
    { status: 'failed', completedAt: at(5), callbackId: 'c', attempts: 0, error: 'no' },
    [approval({ outcome: { approved: false } })],
    '4 waiting · 5 failed',
  ],
  [
    'a call that waits for a delivery',
    { startedAt: at(3), completedAt: at(8), callbackId: 'w' },
    [aCallback('w', { kind: 'webhook', callId: 'c', createdAt: at(3), closedAt: at(8), status: 'answered' })],
    '2 queued · 3 waiting · 8 completed',
  ],
  [
    'a wait',
    { kind: 'wait', until: at(9), completedAt: at(9), attempts: 0 },
    [],
    '2 waiting · 8 waiting · 9 completed',
  ],
  [
    'a call whose outcome is unknown',
    { status: 'unknown', startedAt: at(3), completedAt: at(5) },
    [],
    '4 running · 5 unknown',
  ],
  [
    'a call that was cancelled in the queue',
    { status: 'cancelled', completedAt: at(5), attempts: 0 },
    [],
    '4 queued · 5 cancelled',
  ],
  [
    'a call that was undone',
    { status: 'undone', startedAt: at(3), completedAt: at(5), result: 1, undoneAt: at(9) },
    [],
    '4 running · 5 completed · 8 completed · 9 undone',
  ],
  [
    'an unknown call that was undone',
    { status: 'undone', startedAt: at(3), completedAt: at(5), undoneAt: at(9) },
    [],
    '5 unknown · 9 undone',
  ],
  ['a call that still runs', { status: 'running', startedAt: at(3) }, [], '2 queued · 3 running · 99 running'],
  [
    'a call that still waits for its approval',
    { status: 'waiting', callbackId: 'c', attempts: 0 },
    [approval({ status: 'pending', closedAt: undefined, outcome: undefined })],
    '99 waiting',
  ],
])('%s, at and around each of its times (R163)', (_what, given, callbacks, expected) => {
  const rows = rowsOf({ calls: [call({ status: 'completed', ...given })], callbacks });
  const seconds = expected.match(/\d+/g)!.map(Number);
  const shown = statuses(rows, ...seconds).map((status, index) => `${seconds[index]} ${status ?? '-'}`);
  expect(shown.join(' · ')).toBe(expected);
  // The last time is today.
  expect(rowsAt(rows, at(100)).calls[0]).toBe(rows.calls[0]);
});

test('before its outcome a call has no result, error or time of its end, and the attempts of then', () => {
  const failed = { attempt: 1, startedAt: at(3), endedAt: at(4), error: 'e' };
  const rows = rowsOf({
    calls: [
      call({
        startedAt: at(3),
        completedAt: at(9),
        result: 1,
        attempts: 2,
        failedAttempts: [failed],
        sources: ['web'],
      }),
    ],
  });
  const [queued, retried] = [2, 5].map((second) => rowsAt(rows, at(second)).calls[0]!);
  for (const later of ['result', 'completedAt', 'sources']) expect(retried).not.toHaveProperty(later);
  expect(queued).toMatchObject({ attempts: 0, failedAttempts: undefined, startedAt: undefined });
  expect(retried).toMatchObject({ attempts: 1, failedAttempts: [failed], startedAt: at(3) });
});

test('until the decision, a call has the arguments that were asked about, and nobody has decided', () => {
  const edited = { edited: true, decidedBy: 'ada', arguments: { cents: 4 } };
  const rows = rowsOf({
    calls: [call({ ...edited, startedAt: at(6), completedAt: at(7), callbackId: 'c' })],
    callbacks: [approval()],
  });
  const then = rowsAt(rows, at(4));
  expect(then.calls[0]).toMatchObject({ arguments: { cents: 5 }, edited: undefined, decidedBy: undefined });
  expect(then.callbacks[0]).toMatchObject({ status: 'pending' });
  expect(then.callbacks[0]).not.toHaveProperty('outcome');
  expect(rowsAt(rows, at(5)).calls[0]).toMatchObject(edited);
});

test('the form of a server is blank until it is sent (R194)', () => {
  const field = { name: 'pet', label: 'pet', kind: 'text', text: '"Rex"' } as const;
  const sent = approval({ asker: 'pets', fields: [field] });
  const shownAt = (second: number) => rowsAt(rowsOf({ callbacks: [sent] }), at(second)).callbacks[0]?.fields;
  expect([shownAt(4), shownAt(5)]).toEqual([undefined, [field]]);
});

test('a failed undo is there from its time on; that it was given up, with the last one', () => {
  const failedUndos = [6, 8].map((second, index) => ({ attempt: index + 1, endedAt: at(second), error: 'e' }));
  const rows = rowsOf({
    calls: [call({ startedAt: at(3), completedAt: at(5), result: 1, failedUndos, undoError: 'no' })],
  });
  const undos = [5, 6, 8].map((second) => {
    const { failedUndos: failed, undoError } = rowsAt(rows, at(second)).calls[0]!;
    return [failed?.length, undoError];
  });
  expect(undos).toEqual([
    [undefined, undefined],
    [1, undefined],
    [2, 'no'],
  ]);
});

test('a callback that expired was open until then, also before rows kept that time', () => {
  const expired = aCallback('k', { createdAt: at(2), expiresAt: at(8), status: 'expired' });
  const rows = rowsOf({ callbacks: [expired] });
  expect([1, 2, 8].map((second) => rowsAt(rows, at(second)).callbacks[0]?.status)).toEqual([
    undefined,
    'pending',
    'expired',
  ]);
});

const story = () =>
  rowsOf({
    messages: [
      said(1, { readBySeq: 2 }),
      reply(2, 1, 2, { step: 1 }),
      said(3, { createdAt: at(4), readBySeq: 4, clientMessageId: 'm' }),
      reply(4, 5, 6, { step: 2 }),
    ],
    calls: [call({ startedAt: at(3), completedAt: at(5), result: 1 })],
  });

test('moments are in order, those of one time are one, and each knows its step (R163)', () => {
  expect(momentsOf(story(), 'r')).toEqual([
    { at: at(1), step: 1, nth: 1, what: ['The model is asked'] },
    { at: at(2), step: 1, nth: 2, what: ['The model has replied', 'internet search: asked for'] },
    { at: at(3), step: 1, nth: 3, what: ['internet search: begins'] },
    { at: at(4), step: 1, nth: 4, what: ['A message'] },
    { at: at(5), step: 2, nth: 1, what: ['The model is asked', 'internet search: completed'] },
    { at: at(6), step: 2, nth: 2, what: ['The model has replied'] },
  ]);
  expect(momentsOf(story(), 'other')).toEqual([]);
});

test('what a reply asks for is there with the reply, although its own time is a little earlier', () => {
  const early = { createdAt: at(1.5), completedAt: at(1.5), attempts: 0, callbackId: 'c', result: 1 };
  const question = aCallback('r.00001.question', { kind: 'question', createdAt: at(1.5), status: 'pending' });
  const rows = rowsOf({
    calls: [call(early)],
    callbacks: [approval({ createdAt: at(1.5), closedAt: at(1.5) }), question],
  });
  expect(momentsOf(rows, 'r').map((moment) => moment.at)).toEqual([at(1), at(2)]);
  expect(rowsAt(rows, at(1.7))).toMatchObject({ calls: [], callbacks: [] });
  expect(rowsAt(rows, at(2)).calls[0]).toBe(rows.calls[0]);
  expect(rowsAt(rows, at(2)).callbacks).toHaveLength(2);
});

test('a decision comes before what follows from it, and says what it was', () => {
  const denied = approval({ outcome: { approved: false, reason: 'No' } });
  const rows = rowsOf({
    calls: [call({ tool: 'pay', status: 'failed', completedAt: at(5), callbackId: 'c' })],
    callbacks: [denied],
  });
  expect(momentsOf(rows, 'r').flatMap(({ what }) => what)).toEqual([
    'The model is asked',
    'The model has replied',
    'pay: asked for',
    'pay: needs approval',
    'pay: denied: No',
    'pay: failed',
  ]);
});

test('an address leads to its moment, or to the nearest one', () => {
  const moments = momentsOf(story(), 'r');
  expect([momentAt(moments, 2), momentAt(moments, 1, 3), momentAt(moments, 1, 99), momentAt(moments, 99)]).toEqual([
    4, 2, 3, 5,
  ]);
  expect([momentAt(moments, 0), momentAt([], 1)]).toEqual([0, 0]);
  expect([
    stepFrom(moments, 1, 1),
    stepFrom(moments, 3, -1),
    stepFrom(moments, 4, -1),
    stepFrom(moments, 0, -1),
  ]).toEqual([4, 0, 0, 0]);
  expect(stepFrom(moments, 4, 1)).toBe(5);
});

test('of a run of 2,000 steps, a moment changes a single row', () => {
  const steps = Array.from({ length: 2_000 }, (_, index) => index + 1);
  const rows = rowsOf({
    messages: steps.map((step) => reply(step + 1, step * 10, step * 10 + 1, { step })),
    calls: steps.map((step) =>
      aCall(`c${step}`, {
        step,
        createdAt: at(step * 10 + 1),
        startedAt: at(step * 10 + 2),
        completedAt: at(step * 10 + 3),
      }),
    ),
  });
  const moments = momentsOf(rows, 'r');
  expect(moments).toHaveLength(8_000);
  const then = rowsAt(rows, moments[4_001]!.at);
  expect([then.messages.length, then.calls.length]).toEqual([1_001, 1_001]);
  // Rows that have not changed are the same, so the page renders only the others.
  expect(then.calls.filter((one, index) => one === rows.calls[index])).toHaveLength(1_000);
  expect(then.messages.every((one, index) => one === rows.messages[index])).toBe(true);
});

const run: Run = { id: 'r', status: 'done', agent: 'travel', segment: 1, step: 2, usage: noUsage() };
function noUsage() {
  return { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, costMicrodollars: 0 };
}

test.each<[string, Partial<Call>, Callback[], number, Run['status']]>([
  ['runs', { startedAt: at(3), completedAt: at(9) }, [], 4, 'running'],
  ['waits', { startedAt: at(6), completedAt: at(9), callbackId: 'c' }, [approval()], 4, 'waiting'],
  ['sleeps', { kind: 'wait', until: at(9), completedAt: at(9) }, [], 4, 'sleeping'],
  ['undoes', { status: 'undone', completedAt: at(3), undoneAt: at(4), result: 1 }, [], 4, 'cancelling'],
  ['is over', { startedAt: at(3), completedAt: at(9) }, [], 20, 'done'],
])('the run %s', (_what, given, callbacks, second, status) => {
  const rows = rowsOf({
    messages: [said(1, { readBySeq: 2 }), reply(2, 1, 2, { step: 1 }), reply(3, 15, 20, { step: 2 })],
    calls: [call({ status: 'completed', ...given })],
    callbacks,
  });
  const moments = momentsOf(rows, 'r');
  const index = moments.findLastIndex((moment) => moment.at <= at(second));
  expect(runAt(run, rowsAt(rows, moments[index]!.at), moments, index).status).toBe(status);
});

test('an unread message of a stop was unread, and an old callback was asked with its call', () => {
  const old = aCallback('c', { callId: 'c', createdAt: undefined, status: 'answered', closedAt: at(5) });
  const rows = rowsOf({
    messages: [said(1), reply(2, 1, 2)],
    calls: [call({ callbackId: 'c', completedAt: at(5) })],
    callbacks: [old],
  });
  expect(rowsAt(rows, at(1)).callbacks).toEqual([]);
  expect(rowsAt(rows, at(9)).messages[0]).toMatchObject({ status: 'pending' });
});
