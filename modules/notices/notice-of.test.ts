import { noUsage } from '../../core/base/state/schemas';
import { key } from '../../core/conversations/rows/keys';
import type { Meta } from '../../core/conversations/rows/meta';
import { emptyMeta } from '../../core/conversations/runs/conversation';
import { storedCall, storedRun } from '../../test/support/page/rows';
import { authorityNoticeOf, grantNoticeOf, noticesOf } from './notice-of';

const at = '2026-03-01T08:00:00.000Z';
const told = (sk: string, row: object, before?: object) => noticesOf({ conversationId: 'c', sk, row, before })[0];

describe('a timer', () => {
  const timer = (more: object) => ({
    id: 't',
    version: 1,
    kind: 'once',
    nextAt: at,
    status: 'active',
    fired: 0,
    createdAt: at,
    text: 'secret',
    conversationId: 'c',
    callId: 't',
    author: 'remind_later',
    user: 'ada',
    segment: 1,
    segmentStartedAt: at,
    segmentFired: 0,
    ...more,
  });
  const about = (more: object, before?: object) => told(key.timer('t'), timer(more), before && timer(before));

  test('is noticed each time that it fires, and at no other change (R154)', () => {
    expect(about({})).toBeUndefined();
    expect(about({ fired: 1, status: 'done' }, {})).toEqual({
      id: 'c/TIMER#t/1',
      user: 'ada',
      kind: 'reminder',
      conversationId: 'c',
      timerId: 't',
      at,
    });
    expect(about({ fired: 1, status: 'done', version: 3 }, { fired: 1 })).toBeUndefined();
    expect(about({ status: 'cancelled' }, {})).toBeUndefined();
    expect(
      about({ kind: 'repeat', fired: 8, nextAt: '2026-03-02T08:00:00Z' }, { kind: 'repeat', fired: 7 }),
    ).toMatchObject({ id: 'c/TIMER#t/8', at });
  });

  test('that its user runs by hand is not (R250)', () => {
    expect(about({ kind: 'repeat', fired: 8 }, { kind: 'repeat', fired: 7 })).toBeUndefined();
  });

  test('that calls a tool, or expires a webhook, is not: its run is (R154)', () => {
    expect(about({ kind: 'tool', fired: 1 }, { kind: 'tool' })).toBeUndefined();
    expect(about({ callbackId: 'w', fired: 1 }, { callbackId: 'w' })).toBeUndefined();
  });
});

describe('a call', () => {
  const call = (more: object) => storedCall('r.1.0', at, { arguments: '{"to":"Bob"}', ...more });
  const about = (more: object, before?: object) => told(key.call('r.1.0'), call(more), before && call(before));

  test('that a standing approval allows is noticed when it is stored, and at no other change (R252)', () => {
    expect(about({})).toBeUndefined();
    expect(about({ standing: 'sa_1' })).toEqual({
      id: 'c/CALL#r.1.0/allowed',
      user: 'ada',
      kind: 'allowed',
      conversationId: 'c',
      callId: 'r.1.0',
      at,
    });
    expect(about({ standing: 'sa_1', status: 'completed' }, { standing: 'sa_1' })).toBeUndefined();
    expect(about({ standing: 'sa_1', copiedFrom: 'other' })).toBeUndefined();
  });
});

describe('a callback', () => {
  const callback = (more: object) => ({
    id: 'x',
    version: 1,
    runId: 'r',
    kind: 'approval',
    prompt: 'secret',
    status: 'pending',
    createdAt: at,
    expiresAt: at,
    decider: 'user:ada',
    ...more,
  });
  const about = (more: object, before?: object) => told(key.callback('x'), callback(more), before && callback(before));

  test('is noticed when the run begins to wait for its user, and not again after a retry (R154)', () => {
    expect(about({})).toBeUndefined();
    const listed = about({ openFor: 'user:ada' }, {});
    expect(listed).toEqual({
      id: 'c/CALLBACK#x',
      user: 'ada',
      kind: 'approval',
      conversationId: 'c',
      callbackId: 'x',
      at,
    });
    expect(about({ openFor: 'user:ada', kind: 'question' })).toMatchObject({ kind: 'question' });
    expect(about({ openFor: 'user:ada', version: 2 }, { openFor: 'user:ada' })).toBeUndefined();
    expect(about({ openFor: 'user:ada', version: 5 }, {})?.id).toBe(listed!.id);
    expect(about({ status: 'answered' }, { openFor: 'user:ada' })).toBeUndefined();
  });

  test('that a group decides about, an outside system or another agent answers, is not (R154)', () => {
    expect(about({ decider: 'group:finance', openFor: 'group:finance' })).toBeUndefined();
    expect(about({ kind: 'webhook', openFor: 'user:ada' })).toBeUndefined();
  });
});

describe('a run', () => {
  const run = (status: string, id = 'r') =>
    storedRun(id, status, at, { usage: noUsage, lastRead: { seq: 3, step: 0 } });
  const meta = (status: string, more: Partial<Meta> = {}, id?: string) => ({
    ...emptyMeta({ id: 'c', user: 'ada', agent: 'reminder', now: new Date(at) }),
    version: 4,
    title: 'secret',
    run: run(status, id),
    ...more,
  });
  const about = (row: object, before: object = meta('running')) => told(key.meta, row, before);

  test('is noticed when it is done, fails or is limited (R154)', () => {
    expect(about(meta('done'))).toEqual({
      id: 'c/META/4/done',
      user: 'ada',
      kind: 'answer',
      conversationId: 'c',
      at,
      readSeq: 3,
    });
    for (const status of ['failed', 'limited']) expect(about(meta(status))).toMatchObject({ kind: 'failure' });
    expect(about(meta('done', {}, 'r'), meta('done'))).toBeUndefined();
    expect(about(meta('sleeping'))).toBeUndefined();
  });

  test('that ends as the next one begins is noticed, with what it has read (R154)', () => {
    const next = meta('running', {}, 'next');
    expect(about(next)).toMatchObject({ kind: 'answer', readSeq: 3 });
  });

  test('that its user cancelled, of a sub-agent or of a deleted conversation is not (R154)', () => {
    expect(about(meta('cancelled'), meta('cancelling'))).toBeUndefined();
    expect(about(meta('done', { parentId: 'p' }))).toBeUndefined();
    expect(about(meta('failed', { owner: '', deletedFor: 'ada' }))).toBeUndefined();
  });
});

test('rows that a fork copies, and messages, make no notice (R154)', () => {
  expect(told(key.meta, { copiedFrom: 'a' })).toBeUndefined();
  expect(told(key.message(1), { text: 'secret' })).toBeUndefined();
});

test('a new device and words that are turned on are noticed, once each, and nothing that ends or is renewed (R195)', () => {
  const device = (id: string) => ({ id, endpoint: '', p256dh: '', auth: '', addedAt: at });
  const settings = { reminders: true, approvals: true, questions: true, failures: true, answers: true, mail: false };
  const row = (devices: string[], words = false) => ({
    devices: devices.map(device),
    settings: { ...settings, words },
    words: words ? { token: 't', until: 1_800_000_000 } : undefined,
  });
  const of = (after: object, before?: object) => grantNoticeOf({ user: 'ada', row: after, before });
  const added = { id: `ada/device/b/${at}`, user: 'ada', kind: 'grant', deviceId: 'b', devicesBefore: ['a'], at };
  expect(of(row(['a', 'b']), row(['a']))).toEqual(added);
  expect(of(row(['b']))).toEqual({ ...added, devicesBefore: [] });
  const removed = { ...device('a'), removedAt: at };
  const removal = { id: `ada/removed/a/${at}`, user: 'ada', kind: 'grant', isRemoval: true, at };
  expect(of({ ...row([]), removed: [removed] }, row(['a']))).toEqual(removal);
  const off = { ...row(['a']), removedAddress: { address: 'ada@example.com', until: 1, removedAt: at } };
  expect([of(off, row(['a'])), of(off, off)]).toEqual([{ ...removal, id: `ada/removed/mail/${at}` }, undefined]);
  expect(of(row(['a'], true), row(['a']))).toMatchObject({ id: 'ada/words/t', kind: 'grant' });
  for (const [after, before] of [
    [row(['a']), row(['a'])],
    [row([]), row(['a'])],
    [row(['a']), row(['a'], true)],
    [row(['a'], true), row(['a'], true)],
  ] as const)
    expect(of(after, before)).toBeUndefined();
});

describe('what outlives the token that made it is told to its person (R267)', () => {
  const meta = (more: object) => ({
    ...emptyMeta({ id: 'c', user: 'ada', agent: 'tester', now: new Date(at) }),
    ...more,
  });
  const member = { role: 'member' as const };

  test('who is invited or let in, once for all versions, and not who asks, leaves or gets another role', () => {
    const about = (members: object, before: object, more: object = {}) =>
      told(
        key.meta,
        meta({ members, membersVersion: 2, ...more }),
        meta({ members: before, membersVersion: 1, ...more }),
      );
    expect(about({ 'user:ben': { ...member, invited: true } }, {})).toEqual({
      id: 'c/members/2',
      user: 'ada',
      kind: 'grant',
      granted: 'member',
      at,
    });
    expect(about({ 'user:ben': member }, { 'user:ben': { ...member, asks: true } })).toMatchObject({
      granted: 'member',
    });
    expect(about({ 'user:ben': member }, { 'user:ben': { ...member, invited: true } })).toBeUndefined();
    expect(about({ 'user:ben': { ...member, asks: true } }, {})).toBeUndefined();
    expect(about({}, { 'user:ben': member })).toBeUndefined();
    expect(about({ 'user:ben': member }, {}, { rootId: 'first' })).toBeUndefined();
  });

  test('a link, when it is made', () => {
    const link = { version: 1, id: 'l', digest: 'd', role: 'member', by: 'ada', uses: 0, createdAt: at, expiresAt: at };
    expect(told(key.link('l'), link)).toMatchObject({ user: 'ada', kind: 'grant', granted: 'link' });
    expect(told(key.link('l'), { ...link, uses: 1 }, link)).toBeUndefined();
  });

  test('who decides in their place, once with its confirmation, and not its end; and a new standing approval', () => {
    const absence = { version: 1, to: 'sam', from: at, until: '2026-03-05T08:00:00.000Z' };
    const of = (row: object, before?: object) => authorityNoticeOf({ user: 'fay', sk: key.absence, row, before });
    const first = of(absence)!;
    expect(first).toMatchObject({ user: 'fay', kind: 'grant', granted: 'standIn' });
    expect(of({ ...absence, from: '2026-03-01T08:01:00.000Z', version: 2 }, absence)!.id).toBe(first.id);
    expect(of({ ...absence, to: 'eve', version: 2 }, absence)!.id).not.toBe(first.id);
    expect(of({ ...absence, endedAt: at }, absence)).toBeUndefined();
    expect(authorityNoticeOf({ user: 'fay', sk: key.settings, row: {} })).toBeUndefined();
  });
});
