import { storedCall, storedRun } from '../../../test/support/page/rows';
import type { Call, Message, Usage } from '../../base/state/schemas';
import { key } from '../../conversations/rows/keys';
import type { Meta } from '../../conversations/rows/meta';
import type { StoredCall } from '../../conversations/rows/rows';
import { emptyMeta } from '../../conversations/runs/conversation';
import type { RowChange } from './broadcast';
import { eventDetails } from './events';
import { finishedBy } from './finished';

const at = '2026-03-01T08:00:00.000Z';
const usage = (modelCalls: number): Usage => ({
  modelCalls,
  toolCalls: 0,
  inputTokens: 10 * modelCalls,
  outputTokens: 0,
  costMicrodollars: 7 * modelCalls,
});

const message = (version: number, status: Message['status'], more: object = {}): object => ({
  seq: 2,
  version,
  status,
  role: 'assistant',
  author: 'reminder',
  text: 'secret words',
  createdAt: at,
  ...more,
});
const call = (version: number, status: Call['status'], more: Partial<StoredCall> = {}): object =>
  storedCall('r.1.0', at, {
    version,
    status,
    attempts: 2,
    modelCallId: 'x',
    ...more,
    arguments: '{"to":"secret payee"}',
    result: '"secret result"',
  });
const meta = (version: number, run: object | undefined, more: Partial<Meta> = {}): object => ({
  ...emptyMeta({ id: 'c', user: 'ada', agent: 'reminder', now: new Date(at) }),
  version,
  title: 'secret title',
  run,
  ...more,
});
const run = (id: string, status: string, calls = 1) =>
  storedRun(id, status, at, {
    segment: 3,
    step: calls,
    usage: usage(calls),
    lastRead: { seq: 0, step: 0 },
    reason: 'secret reason',
  });

const told = (sk: string, row: object, before?: object) =>
  finishedBy({ conversationId: 'c', sk, row, before } satisfies RowChange);
const aboutMessage = (row: object, before?: object) => told(key.message(2), row, before)?.detail.status;
const aboutCall = (row: object, before?: object) => told(key.call('r.1.0'), row, before)?.detail.status;
const aboutRun = (row: object, before?: object) => told(key.meta, row, before)?.detail;

test('a message is finished once: when it is whole or cut off, and not when it changes later', () => {
  expect(aboutMessage(message(1, 'streaming'))).toBeUndefined();
  expect(aboutMessage(message(2, 'streaming'), message(1, 'streaming'))).toBeUndefined();
  expect(aboutMessage(message(3, 'complete'), message(2, 'streaming'))).toBe('complete');
  expect(aboutMessage(message(3, 'cancelled'), message(2, 'streaming'))).toBe('cancelled');
  expect(aboutMessage(message(4, 'complete', { text: 'amended' }), message(3, 'complete'))).toBeUndefined();
  expect(aboutMessage(message(1, 'complete'))).toBe('complete');
});

test('a call settles once, and again when it is undone', () => {
  expect(aboutCall(call(2, 'running'), call(1, 'queued'))).toBeUndefined();
  expect(aboutCall(call(3, 'completed'), call(2, 'running'))).toBe('completed');
  expect(aboutCall(call(4, 'completed'), call(3, 'completed'))).toBeUndefined();
  expect(aboutCall(call(5, 'undone'), call(4, 'completed'))).toBe('undone');
});

test('the event of a call says who has approved or denied it (R105, R147)', () => {
  const settled = told(key.call('r.1.0'), call(3, 'completed', { decidedBy: 'fay' }), call(2, 'running'));
  expect(settled?.detail).toMatchObject({ status: 'completed', decidedBy: 'fay' });
});

test('a run ends once each time that it ends', () => {
  expect(aboutRun(meta(2, run('r', 'running')), meta(1, undefined))).toBeUndefined();
  expect(aboutRun(meta(3, run('r', 'failed')), meta(2, run('r', 'running')))?.status).toBe('failed');
  expect(aboutRun(meta(4, run('r', 'failed')), meta(3, run('r', 'failed')))).toBeUndefined();
  expect(aboutRun(meta(5, run('r', 'running')), meta(4, run('r', 'failed')))).toBeUndefined();
  expect(aboutRun(meta(6, run('r', 'done')), meta(5, run('r', 'running')))?.deduplicationId).toBe('c/META/6/done');
  expect(aboutRun(meta(7, run('next', 'running')), meta(6, run('r', 'done')))).toBeUndefined();
});

test.each([
  ['running', 'done'],
  ['cancelling', 'cancelled'],
])('a run whose end starts the next one has an event: it was %s, and is %s', (was, status) => {
  const before = meta(8, run('r', was, 2), { earlierUsage: usage(5) });
  const after = meta(9, run('next', 'running', 0), { earlierUsage: usage(8) });
  expect(aboutRun(after, before)).toMatchObject({ runId: 'r', status, segments: 3, usage: usage(3) });
});

test('a deleted conversation’s run is its user’s to the end', () => {
  const gone = { owner: '', deletedFor: 'ada' };
  const ended = aboutRun(meta(3, run('r', 'cancelled'), gone), meta(2, run('r', 'cancelling'), gone));
  expect(ended).toMatchObject({ status: 'cancelled', user: 'ada' });
});

test('what a fork copies makes no event: the original has had its own (R105, R116)', () => {
  expect(aboutMessage(message(1, 'complete', { copiedFrom: 'other' }))).toBeUndefined();
  expect(told(key.call('r.1.0'), { ...call(1, 'completed'), copiedFrom: 'other' })).toBeUndefined();
});

test('what is told again has the same id (R105)', () => {
  const [once, again] = [1, 2].map(() => told(key.call('r.1.0'), call(3, 'completed'), call(2, 'running')));
  expect(again).toEqual(once);
  expect(again!.detail.deduplicationId).toBe('c/CALL#r.1.0/3/completed');
});

test('rows that finish nothing make no event', () => {
  expect(told('PART#r.1.0#001', { data: 'x' })).toBeUndefined();
  expect(told(key.timer('t'), { status: 'done' })).toBeUndefined();
});

describe.each([
  ['Message finished', key.message(2), message(3, 'complete')],
  ['Tool call settled', key.call('r.1.0'), call(3, 'completed')],
  ['Run ended', key.meta, meta(3, run('r', 'done'))],
] as const)('%s', (detailType, sk, row) => {
  test('has no words in it', () => {
    const event = told(sk, row)!;
    expect(event.detailType).toBe(detailType);
    expect(JSON.stringify(event)).not.toContain('secret');
    expect(eventDetails[detailType].parse(event.detail)).toEqual(event.detail);
  });
});
