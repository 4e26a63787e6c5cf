import type { Callback, WaitingApproval } from 'vigil-client';
import { isTakenByOther, isTakeOver } from './take-over';
import { openTakeOver } from './transcript';

const callback = (more: Partial<Callback>) => ({ id: 'c', kind: 'person', status: 'pending', ...more }) as Callback;
const item = (more: Partial<Callback>) => ({ callback: callback(more) }) as WaitingApproval;
const assigned = { to: 'ben', by: 'ben', at: '2027-03-01T08:00:00.000Z' };

test('what a colleague has taken over waits for nobody else (R228)', () => {
  expect([item({}), item({ assigned })].map((one) => isTakenByOther(one, 'ben'))).toEqual([false, false]);
  expect(isTakenByOther(item({ assigned }), 'hal')).toBe(true);
  // An assigned approval is still for all who can decide.
  const approval = item({ kind: 'approval', assigned });
  expect([isTakenByOther(approval, 'hal'), isTakeOver(approval), isTakeOver(item({}))]).toEqual([false, false, true]);
});

test('only an open hand-off holds the run (R228)', () => {
  const open = callback({ id: 'second' });
  expect(openTakeOver([callback({ status: 'answered' }), callback({ kind: 'approval' }), open])).toBe(open);
  expect(openTakeOver([callback({ status: 'cancelled' })])).toBeUndefined();
});
