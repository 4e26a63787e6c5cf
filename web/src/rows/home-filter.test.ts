import type { WaitingApproval } from 'vigil-client';
import { callback } from '../../../test/support/page/rows';
import { filterAddress, filterIn, partOf, passes, shown } from './home-filter';

describe('the filter of the home (R253)', () => {
  test('is in the address, and read from it', () => {
    const filter = { show: 'approvals', whose: 'others', agent: 'loan-advisor' } as const;
    expect(filterAddress(filter)).toBe('#/?show=approvals&whose=others&agent=loan-advisor');
    expect(filterIn(filterAddress(filter))).toEqual(filter);
    expect(filterAddress({ show: undefined })).toBe('#/');
    for (const show of shown) expect(filterIn(filterAddress({ show }))).toEqual({ show });
  });

  test('leaves out what it does not know', () => {
    expect(filterIn('#/?show=everything&whose=&agent=&x=1')).toEqual({});
    for (const hash of ['', '#', '#/', '#/?']) expect(filterIn(hash)).toEqual({});
  });

  test('is only in the address of the home', () => {
    for (const hash of ['#/new', '#/c/a', '#/agents/chat', '#/approvals', '#/nothing?show=failed'])
      expect(filterIn(hash)).toBeUndefined();
  });

  test('leaves what is of its kind, and of its owner', () => {
    const approval = { owner: 'ada', callback: callback('a') } as WaitingApproval;
    const question = { owner: 'grace', callback: callback('q', { kind: 'question' }) } as WaitingApproval;
    const left = (filter: Parameters<typeof passes>[1]) =>
      [approval, question].filter((one) => passes(one, filter, 'ada')).map((one) => one.callback.id);
    expect(left({})).toEqual(['a', 'q']);
    expect(left({ show: 'approvals' })).toEqual(['a']);
    expect(left({ show: 'questions' })).toEqual(['q']);
    expect(left({ whose: 'mine' })).toEqual(['a']);
    expect(left({ show: 'approvals', whose: 'others' })).toEqual([]);
  });

  test('names a part of the home', () => {
    expect(shown.map(partOf)).toEqual([
      'needsYou',
      'upcoming',
      'running',
      'failed',
      'needsYou',
      'needsYou',
      'needsYou',
      'upcoming',
      'needsYou',
    ]);
  });
});

test('a conversation to take over is neither an approval nor a question (R228)', () => {
  const person = { owner: 'ada', callback: { kind: 'person' } } as WaitingApproval;
  const shows = (['approvals', 'questions', 'takeovers', 'needsYou'] as const).map((show) =>
    passes(person, { show }, 'ben'),
  );
  expect(shows).toEqual([false, false, true, true]);
  expect(filterIn('#/?show=takeovers&whose=others')).toEqual({ show: 'takeovers', whose: 'others' });
});
