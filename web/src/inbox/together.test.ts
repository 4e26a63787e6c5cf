import { type Callback, RequestFailed, type WaitingApproval } from 'vigil-client';
import { fieldsOf } from 'vigil-client/shared';
import { callback } from '../../../test/support/page/rows';
import { approvalPlace } from '../calls/approval-draft';
import { snoozeTimes } from './snooze-times';
import { rangeOf, sumWords, together } from './together';
import { outcomeOf } from './use-decisions';
import { newestOf } from './use-new-since';

const now = Date.parse('2026-03-02T08:00:00Z');
const money = (currency = 'USD') => ({ properties: { amount: { type: 'integer', currency }, to: { type: 'string' } } });
function waits(id: string, args: object = {}, schema: object = money(), rest: Partial<Callback> = {}): WaitingApproval {
  const asked = { arguments: args, schema: schema as Record<string, unknown> };
  return {
    conversationId: 'c',
    owner: 'ada',
    agent: 'bank',
    callback: callback(id, { ...asked, fields: fieldsOf(asked), ...rest }),
  };
}
const rent = waits('rent', { amount: 90_000, to: 'Ada' });
const parcel = waits('parcel', { amount: 10_050, to: 'Bob' });
const trip = waits('trip', { amount: 5_000, to: 'Eve' }, money('JPY'));
const mail = waits('mail', { to: 'Bob' });

describe('several decisions at once (R253)', () => {
  test('are summed by currency, if each is about one amount', () => {
    expect(sumWords([rent, parcel])).toBe('$1,000.50');
    expect(sumWords([rent, trip, parcel])).toBe('$1,000.50 + ¥5,000');
    expect(sumWords([rent, mail])).toBeUndefined();
    expect(sumWords([])).toBeUndefined();
    const fee = {
      properties: { amount: { type: 'integer', currency: 'USD' }, fee: { type: 'integer', currency: 'USD' } },
    };
    expect(sumWords([rent, waits('two', { amount: 1, fee: 2 }, fee)])).toBeUndefined();
    const most = waits('most', { amount: Number.MAX_SAFE_INTEGER });
    expect(sumWords([most, most])).toBeUndefined();
  });

  test('leave out what needs its own form, and say why', () => {
    const question = waits('question', {}, {}, { kind: 'question' });
    const form = waits('form', {}, {}, { asker: 'server' });
    const late = waits('late', {}, {}, { expiresAt: '2026-03-02T08:00:00Z' });
    const long = waits('long', { to: 'x' });
    long.callback.fields![0]!.cut = true;
    const items = [rent, question, form, late, long, parcel, trip, mail];
    const drafts = new Map<string, unknown>([
      [approvalPlace('c', rent.callback), { typed: { amount: '700' } }],
      [approvalPlace('c', parcel.callback), { typed: { amount: '100.50' } }],
      [approvalPlace('c', trip.callback), { reason: 'Too' }],
      [approvalPlace('c', mail.callback), { reason: '' }],
    ]);
    const whys = (verdict: 'approve' | 'deny') =>
      together(items, verdict, drafts, now).left.map(({ one, why }) => `${one.callback.id}: ${why}`);
    expect(whys('approve')).toEqual([
      'rent: it has a change that is not sent',
      'question: a question needs an answer',
      'form: it is a form to fill in',
      'late: it has expired',
      'long: it is too long to be shown here',
      'trip: you have begun to deny it',
    ]);
    // A form is declined with others.
    expect(whys('deny')).toHaveLength(4);
    const { included } = together(items, 'approve', drafts, now);
    expect(included).toEqual([parcel, mail]);
  });

  test('are selected from one to another, up or down', () => {
    const ids = ['a', 'b', 'c', 'd'];
    expect(rangeOf(ids, 'b', 'd')).toEqual(['b', 'c', 'd']);
    expect(rangeOf(ids, 'd', 'b')).toEqual(['b', 'c', 'd']);
    expect(rangeOf(ids, undefined, 'c')).toEqual(['c']);
    expect(rangeOf(ids, 'gone', 'c')).toEqual(['c']);
  });

  test('say what has become of each: late, refused, or unknown because no answer came', () => {
    const mine = { user: 'ada', verdict: 'approve' } as const;
    const of = (error: Error) => outcomeOf(error, mine);
    expect(of(new RequestFailed(409, 'x'))).toMatchObject({ is: 'late' });
    expect(of(new RequestFailed(403, 'Others decide.'))).toEqual({ is: 'refused', words: 'Others decide.' });
    for (const status of [0, 500, 503]) expect(of(new RequestFailed(status, 'x'))).toMatchObject({ is: 'unknown' });
    expect(of(new Error('Odd.'))).toEqual({ is: 'refused', words: 'Odd.' });
    // The answer to an earlier request was lost.
    const decided = (outcome: object) =>
      of(new RequestFailed(409, 'x', { type: 'x', title: 'x', status: 409, detail: 'x', outcome })).is;
    expect(decided({ approved: true, by: 'ada' })).toBe('stored');
    expect(decided({ approved: true, by: 'grace' })).toBe('late');
    expect(decided({ approved: false, by: 'ada' })).toBe('late');
  });
});

test('what has come since one looked is told by the newest that one saw (R253)', () => {
  const at = (createdAt?: string) => waits('x', {}, {}, { createdAt });
  expect(newestOf([at('2026-03-01T08:00:00.000Z'), at(), at('2026-03-02T08:00:00.000Z')])).toBe(
    '2026-03-02T08:00:00.000Z',
  );
  expect(newestOf([])).toBe('');
});

test('one may put off for an hour, until the evening, tomorrow or Monday, in the reader’s time (R253)', () => {
  const words = (...date: [number, number, number, number]) =>
    snoozeTimes(new Date(...date).getTime()).map(({ words, at }) => [
      words,
      new Date(at).getDay(),
      new Date(at).getHours(),
    ]);
  // A Wednesday morning, a Friday night, a Sunday, a Monday.
  expect(words(2026, 2, 4, 9)).toEqual([
    ['In an hour', 3, 10],
    ['This evening', 3, 18],
    ['Tomorrow', 4, 8],
    ['Next Monday', 1, 8],
  ]);
  expect(words(2026, 2, 6, 22).map(([first]) => first)).toEqual(['In an hour', 'Tomorrow', 'Next Monday']);
  expect(words(2026, 2, 8, 12).map(([first]) => first)).toEqual(['In an hour', 'This evening', 'Tomorrow']);
  expect(snoozeTimes(new Date(2026, 2, 2, 9).getTime()).at(-1)!.at).toBe(new Date(2026, 2, 9, 8).getTime());
});

test('a conversation to take over is not decided about with others (R228)', () => {
  const person = waits('p', {}, {}, { kind: 'person' });
  for (const verdict of ['approve', 'deny'] as const)
    expect(together([rent, person], verdict, new Map(), now)).toEqual({
      included: [rent],
      left: [{ one: person, why: 'it is a conversation to take over' }],
    });
});
