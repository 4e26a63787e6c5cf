import { callback as callbackRow, message as messageRow } from '../../../test/support/page/rows';
import { key } from '../../conversations/rows/keys';
import type { Meta } from '../../conversations/rows/meta';
import { emptyMeta } from '../../conversations/runs/conversation';
import { broadcastOf, type RowChange } from './broadcast';
import { conversationTopic, listTopic } from './subscriptions';

const now = new Date('2026-03-01T08:00:00.000Z');
const meta = (conversationId: string, more: Partial<Meta> = {}): RowChange => ({
  conversationId,
  sk: key.meta,
  row: { ...emptyMeta({ id: conversationId, user: 'ada', agent: 'reminder', now }), ...more },
});
const message = (conversationId: string, seq: number, version: number): RowChange => ({
  conversationId,
  sk: key.message(seq),
  row: { ...messageRow(seq, { version, text: `v${version}`, status: 'streaming' }), writer: 'w_secret' },
});
const topicsOf = (images: RowChange[]) => broadcastOf(images, now).pushes.map(({ topic }) => topic);
const said = (images: RowChange[]) =>
  broadcastOf(images, now).pushes.flatMap(({ frames }) => frames.map((one) => JSON.parse(one)));

test('the newest image of each row is pushed once, without internal fields', () => {
  const frames = said([message('c', 1, 1), message('c', 1, 2), message('c', 2, 1), message('c', 1, 3)]);
  expect(frames).toMatchObject([
    { type: 'rows', conversationId: 'c', rows: [{ row: { text: 'v3' } }, { row: { seq: 2 } }] },
  ]);
  expect(JSON.stringify(frames)).not.toContain('w_secret');
});

test('one push a topic, however many rows: the conversations’, and one for all lines of a list', () => {
  const images = [meta('a'), message('a', 1, 1), meta('b'), meta('c', { owner: 'eve' }), message('b', 1, 1)];
  expect(topicsOf(images)).toEqual([...['a', 'b', 'c'].map(conversationTopic), listTopic('ada'), listTopic('eve')]);
});

test('a piece is pushed without what came before it, and its end not at all (R184)', () => {
  const piece = (from: number, row: object): RowChange => ({
    conversationId: 'c',
    sk: key.piece({ seq: 2, attempt: 1, from }),
    row: { ...row, ttl: 1 },
  });
  const pieces = [0, 5].map((from) => ({ seq: 2, attempt: 1, from, text: 'Word.' }));
  expect(said([...pieces.map((row) => piece(row.from, row)), piece(10, { end: true })])).toEqual([
    { type: 'rows', conversationId: 'c', rows: pieces.map((row) => ({ kind: 'piece', row })) },
  ]);
  // It fits into a frame, however its characters are escaped.
  expect(
    Buffer.byteLength(JSON.stringify(said([piece(0, { ...pieces[0], text: '\u0001'.repeat(4_000) })]))),
  ).toBeLessThan(32_768);
});

test('a deleted conversation is reported as deleted, and nothing more of it is pushed', () => {
  const gone = meta('c', { owner: '', deletedFor: 'ada' });
  const { pushes } = broadcastOf([message('c', 1, 1), gone], now);
  const frames = ['{"type":"deleted","conversationId":"c"}'];
  expect(pushes).toEqual([
    { topic: conversationTopic('c'), conversationId: 'c', frames, last: true },
    { topic: listTopic('ada'), frames },
  ]);
});

test('an unreadable row does not block others; internal rows are left out', () => {
  const broken = { conversationId: 'c', sk: key.piece({ seq: 9, attempt: 1, from: 0 }), row: { seq: 'nine' } };
  const inside = { conversationId: 'c', sk: key.part('call', 'w', 1), row: { data: 'x' } };
  const { pushes, unreadable } = broadcastOf([broken, inside, message('c', 1, 1)], now);
  expect([pushes.length, unreadable.length]).toEqual([1, 1]);
});

test('who decides about an approval is told when it begins and ceases to wait, and nothing else of it (R147)', () => {
  const callback = (id: string, openFor: string | undefined, before?: object, kind = 'approval'): RowChange => ({
    conversationId: 'c',
    sk: key.callback(id),
    before,
    row: { ...callbackRow(id), kind, openFor, decider: 'group:finance' },
  });
  const told = (...changes: RowChange[]) =>
    broadcastOf(changes, now).pushes.filter(({ topic }) => topic.startsWith('APPROVALS#'));
  const notice = { topic: 'APPROVALS#group:finance', frames: ['{"type":"changed","approvals":true}'] };
  expect(told(callback('a', 'group:finance'), callback('b', 'group:finance'))).toEqual([notice]);
  expect(told(callback('a', undefined, { openFor: 'group:finance' }))).toEqual([notice]);
  // It has come and gone within one batch.
  expect(told(callback('a', 'group:finance'), callback('a', undefined, { openFor: 'group:finance' }))).toEqual([
    notice,
  ]);
  expect(told(callback('a', 'group:finance', { openFor: 'group:finance' }))).toEqual([]);
  expect(told(callback('b', undefined), callback('w', 'user:ada', undefined, 'webhook'))).toEqual([]);
  const before = { openFor: 'group:finance', assigned: { to: 'fay', by: 'eva', at: now.toISOString(), step: 0 } };
  expect(told(callback('a', 'group:finance', before))).toEqual([notice]);
});

test('who is invited, or no longer, is told to read their invitations, and nothing of them (R267)', () => {
  const invited = (was: object, members: object): RowChange => ({
    ...meta('c', { members, membersVersion: 2 } as Partial<Meta>),
    before: meta('c', { members: was, membersVersion: 1 } as Partial<Meta>).row,
  });
  const told = (change: RowChange) =>
    broadcastOf([change], now).pushes.filter(({ frames }) => frames.includes('{"type":"changed","list":true}'));
  const [ben, asked] = [{ role: 'member' }, { role: 'member', invited: true }];
  const notice = { topic: 'LIST#ben', frames: ['{"type":"changed","list":true}'] };
  expect(told(invited({}, { 'user:ben': asked }))).toEqual([notice]);
  for (const next of [{}, { 'user:ben': ben }, { 'user:ben': { ...asked, role: 'watcher' } }])
    expect(told(invited({ 'user:ben': asked }, next))).toEqual([notice]);
  expect(told(invited({}, { 'user:ben': ben, 'group:staff': ben }))).toEqual([]);
  // A deleted conversation invites nobody.
  expect(told(meta('c', { members: { 'user:ben': asked }, deletedFor: 'ada' } as Partial<Meta>))).toEqual([notice]);
});

test('the owner of a question is told when it begins and ceases to wait (R156)', () => {
  const question = (openFor?: string, before?: object): RowChange => ({
    conversationId: 'c',
    sk: key.callback('q'),
    before,
    row: { ...callbackRow('q', { kind: 'question' }), openFor },
  });
  for (const change of [question('user:ada'), question(undefined, { openFor: 'user:ada' })])
    expect(topicsOf([change])).toContain('APPROVALS#user:ada');
});

test('a timer is pushed to its conversation, and to its user’s list; a webhook’s expiry to nobody (R156)', () => {
  const timer = (more = {}): RowChange => ({
    conversationId: 'c',
    sk: key.timer('t'),
    row: {
      id: 't',
      version: 2,
      kind: 'once',
      nextAt: now.toISOString(),
      status: 'active',
      fired: 0,
      text: 'Water',
      conversationId: 'c',
      callId: 't',
      author: 'remind_later',
      user: 'ada',
      createdAt: now.toISOString(),
      segment: 1,
      segmentStartedAt: now.toISOString(),
      segmentFired: 0,
      ...more,
    },
  });
  expect(topicsOf([timer()])).toEqual([conversationTopic('c'), listTopic('ada')]);
  const [, list] = said([timer()]);
  expect(list).toMatchObject({
    list: true,
    rows: [{ kind: 'timer', conversationId: 'c', row: { id: 't', version: 2 } }],
  });
  expect(topicsOf([timer({ callbackId: 'w' })])).toEqual([]);
});
