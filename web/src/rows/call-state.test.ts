import { call, callback } from '../../../test/support/page/rows';
import { looksOf } from '../calls/call-looks';
import { callState, closedWords, decisionWords, handedTo, mainArgument, seenBy } from './call-state';

const now = Date.parse('2026-03-01T08:00:00Z');
const until = '2026-03-02T08:00:00.000Z';
const failed = { attempt: 1, error: 'The shop answered 500.', retryBy: '2026-03-01T08:00:01.000Z' };
const took = { startedAt: '2026-03-01T08:00:00.000Z', completedAt: '2026-03-01T08:00:02.000Z' };

test.each([
  ['queued', call('c', { status: 'queued' }), undefined],
  [
    'retrying · attempt 2 of 5',
    call('c', { status: 'queued', attempts: 1, attemptsAtMost: 5, failedAttempts: [failed] }),
    undefined,
  ],
  [
    'attempt 1 of 5 failed',
    call('c', {
      status: 'queued',
      attempts: 1,
      attemptsAtMost: 5,
      failedAttempts: [{ ...failed, retryBy: undefined }],
    }),
    undefined,
  ],
  // It was approved since.
  ['queued', call('c', { status: 'queued', attempts: 2, failedAttempts: [failed] }), undefined],
  ['running', call('c', { status: 'running' }), undefined],
  ['running · attempt 2 of 5', call('c', { status: 'running', attempts: 2, attemptsAtMost: 5 }), undefined],
  ['running · attempt 6', call('c', { status: 'running', attempts: 6, attemptsAtMost: 5 }), undefined],
  ['running · attempt 2', call('c', { status: 'running', attempts: 2 }), undefined],
  ['waiting until Mon 2 Mar, 08:00 UTC', call('c', { status: 'waiting', until }), undefined],
  ['needs approval', call('c', { status: 'waiting' }), callback('c')],
  ['asks you', call('c', { status: 'waiting' }), callback('c', { kind: 'question' })],
  ['another agent is working', call('c', { status: 'waiting' }), callback('c', { kind: 'agent' })],
  [
    'waiting for an outside system until Mon 2 Mar, 08:00 UTC',
    call('c', { status: 'waiting' }),
    callback('c', { kind: 'webhook', expiresAt: until }),
  ],
  // Decided, but the update of the call's row has not arrived yet.
  ['queued', call('c', { status: 'waiting' }), callback('c', { status: 'answered' })],
  ['done · 2 s', call('c', took), undefined],
  // It took as long as the person did.
  ['done', call('c', { ...took, callbackId: 'c' }), callback('c', { status: 'answered' })],
  // A message ended the wait (R162).
  ['interrupted by a message', call('c', { ...took, kind: 'wait', until }), undefined],
  ['done · 2 s', call('c', { ...took, kind: 'wait', until: took.completedAt }), undefined],
  ['failed · reported to the model', call('c', { status: 'failed' }), undefined],
  ['done · not undone', call('c', { ...took, undoError: 'The bank is closed.' }), undefined],
  ['outcome unknown · not undone', call('c', { status: 'unknown', undoError: 'No.' }), undefined],
  ['outcome unknown', call('c', { status: 'unknown' }), undefined],
  ['undone', call('c', { status: 'undone' }), undefined],
  ['cancelled', call('c', { status: 'cancelled' }), undefined],
] as const)('a card says: %s', (words, one, asked) => {
  expect(looksOf(callState(one, asked), now).words).toBe(words);
});

test('one’s own denial is no failure, and others’ decisions are waited for (R147)', () => {
  const me = { user: 'ada', groups: [], claims: {} };
  const words = (asked: ReturnType<typeof callback>, status: 'failed' | 'waiting') =>
    looksOf(seenBy(me, callState(call('c', { status }), asked), now), now).words;
  const denied = (by: string) => callback('c', { status: 'answered', outcome: { approved: false, by } });
  expect(words(denied('ada'), 'failed')).toBe('denied by you');
  expect(words(denied('vera'), 'failed')).toBe('denied');
  expect(words(callback('c', { approvers: { group: 'finance' }, expiresAt: until }), 'waiting')).toBe(
    'needs the approval of finance until Mon 2 Mar, 08:00 UTC',
  );
});

test('the main argument is the most descriptive one, otherwise the first with a value', () => {
  expect(mainArgument({ results: 5, query: 'kyoto may' })?.value).toBe('kyoto may');
  expect(mainArgument({ empty: null, size: 3 })).toEqual({ name: 'size', value: 3 });
  expect(mainArgument({})).toBeUndefined();
});

test('a hand-off shows the agent’s own name', () => {
  expect(handedTo('hand_off_to_account_manager')).toBe('account-manager');
  expect(handedTo('transfer')).toBeUndefined();
});

test('a decision is shown in words', () => {
  const of = (outcome: unknown) => decisionWords(callback('c', { outcome }));
  expect(of({ approved: true })).toBe('approved');
  expect(of({ approved: true, arguments: {} })).toBe('approved as edited');
  expect(of({ approved: false, reason: 'Too much' })).toBe('denied: Too much');
  expect(of({ answer: 'Kyoto' })).toBe('Kyoto');
  expect(of(undefined)).toBeUndefined();
});

test('what ended a wait depends on its kind, unless it expired', () => {
  expect(closedWords({ kind: 'approval', status: 'answered' })).toBe('decided');
  expect(closedWords({ kind: 'webhook', status: 'answered' })).toBe('delivered');
  expect(closedWords({ kind: 'agent', status: 'expired' })).toBe('expired');
});

describe('in a conversation of several people', () => {
  const me = { user: 'ben', groups: ['finance'], claims: {} };
  const owner = { user: 'ada', name: 'Ada', isMe: false };
  const open = (more: object) => ({ kind: 'approval', status: 'pending', expiresAt: '2026-05-01T00:00:00Z', ...more });
  const seen = (kind: 'approval' | 'question', role: 'member' | 'watcher', more: object = {}) =>
    seenBy(me, { is: kind, callback: open(more) } as never, 0, { role, owner });

  test('the owner’s approval is theirs to decide; another approver decides as anywhere (R225, R227)', () => {
    expect(seen('approval', 'member')).toMatchObject({ is: 'waiting', on: 'owner', who: 'Ada' });
    expect(seen('approval', 'watcher', { approvers: { group: 'finance' } })).toMatchObject({ is: 'approval' });
    const steps = [{ by: 'owner', escalatesTo: { group: 'legal' }, escalatesAt: '1970-01-01T00:00:00Z' }];
    expect(seen('approval', 'member', { steps })).toMatchObject({ on: 'approvers', who: 'Ada or legal' });
  });

  test('members answer a question, watchers do not (R225)', () => {
    expect(seen('question', 'member')).toMatchObject({ is: 'question' });
    expect(seen('question', 'watcher')).toMatchObject({ is: 'waiting', on: 'people' });
  });
});
