import type { Timer } from 'vigil-client';
import { call, callback } from '../../../test/support/page/rows';
import { looksOf } from '../calls/call-looks';
import { awaited } from '../rows/awaited';
import { callState, seenBy } from '../rows/call-state';
import { machinePlaces } from '../rows/machine-places';
import { machineState, stepShown } from '../rows/run-words';
import { activeOf, shownTimer } from '../rows/timers';
import { shownStatus } from './rule-words';
import { answeredBy, costWords, dollars, restWords, savedWords, standing } from './words';

const now = Date.parse('2027-03-01T08:00:00.000Z');
const timer = (id: string, nextAt: string, status: Timer['status'] = 'active') =>
  ({ id, nextAt, status, kind: 'repeat', rule: '0 9 * * 1-5', createdAt: nextAt }) as Timer;
const late = timer('late', '2027-03-03T09:00:00.000Z');
const soon = timer('soon', '2027-03-02T09:00:00.000Z');
const over = timer('over', '2027-03-01T09:00:00.000Z', 'done');

test('a conversation at rest whose timer goes on says so wherever its status is shown', () => {
  const [next] = activeOf([late, over, soon]);
  expect(next).toBe(soon);
  expect(shownStatus({ status: 'done' }, next, now)).toEqual({
    dot: { status: 'sleeping' },
    words: expect.stringMatching(/^next .* · Mon–Fri 9:00 weekly/),
  });
  expect(shownStatus({ status: 'waiting', waitsFor: 'you' }, next, now).words).toBe('waiting for you');
  // A paused timer lives, too.
  const paused = timer('paused', '2027-03-02T09:00:00.000Z', 'paused');
  expect([shownTimer([over, paused])?.id, shownTimer([paused, soon])?.id, shownTimer([over])]).toEqual([
    'paused',
    'soon',
    undefined,
  ]);
  expect(shownStatus({ status: 'done' }, paused, now).words).toBe('paused · Mon–Fri 9:00 weekly');
  expect(shownStatus({ status: 'done' }, undefined, now)).toEqual({ dot: { status: 'done' }, words: 'done' });
  const run = { status: 'done' } as never;
  expect(machineState({ run, calls: [], callbacks: [], timers: [soon] }, now)!.words).toContain('Its timer');
  const made = call('soon', { status: 'completed' });
  expect(looksOf(callState(made, undefined, soon), now).words).toMatch(/^next /);
  expect(looksOf(callState(made, undefined, over), now).words).toMatch(/^done/);
});

test('a model that does not answer is named, with since when, why and when it is asked again (R202)', () => {
  const since = '2027-03-01T07:00:00.000Z';
  const wait = { model: 'terra', since, reason: 'Its server failed (503).', nextAt: '2027-03-01T08:10:00.000Z' };
  const run = { status: 'running', modelWait: wait } as never;
  const said = (at: number) => machineState({ run, calls: [], callbacks: [] }, at)!;
  const later = Date.parse('2027-03-01T08:10:01.000Z');
  expect(said(now)).toEqual({
    state: 'Sleep',
    words: expect.stringMatching(
      /^The model terra has not answered since .*: Its server failed \(503\)\. It is asked again at .*\.$/,
    ),
  });
  expect(said(later).words).toMatch(/It is being asked again\.$/);
  expect(machinePlaces({ run, calls: [], callbacks: [] })!.lit).toBe('Sleep');
  expect(standing({ status: 'running', run }, now)).toMatch(/^waiting for its model until /);
  expect(standing({ status: 'running', run }, later)).toBe('asking its model again');
  // It gives no sign, and none is expected.
  expect(awaited({ run, timers: [] }, now)).toBeUndefined();
  expect(awaited({ run, timers: [] }, later)).toEqual({ what: 'run' });
});

test('a reply says which model gave it, and why not the first (R203)', () => {
  const insteadOf = [{ model: 'terra', since: '2027-03-01T07:00:00.000Z', reason: 'Its server failed (503).' }];
  expect(answeredBy({ model: 'luna' })).toBe('luna');
  expect(answeredBy({ model: 'luna', insteadOf })).toBe(
    'luna, instead of terra, which did not answer: Its server failed (503).',
  );
});

test('a cost of which a part is a guess is a most', () => {
  expect([costWords(1_500), costWords(0), costWords(1_500, { unpricedCalls: 1 })]).toEqual([
    '$0.0015',
    '$0',
    'at most $0.0015',
  ]);
  // Rounded each for itself, $0.0018 and $0.0002 would be $0.0019.
  expect([dollars(1_760), restWords(1_910, 1_760), dollars(1_910)]).toEqual(['$0.0018', '$0.0001', '$0.0019']);
});

test('what the cache saved is told, and what its first write cost more (R200)', () => {
  expect([savedWords(12_300), savedWords(-2_000)]).toEqual(['$0.0123 saved', '$0.0020 more']);
});

test('a run that failed before its first reply names one step everywhere', () => {
  expect(stepShown({ step: 0, failedStep: 1 })).toBe(1);
  expect(stepShown({ step: 3 })).toBe(3);
});

test('a conversation that waits for a person says for whom, since when, and who has it (R228)', () => {
  const asked = callback('p', {
    kind: 'person',
    callId: 'p',
    approvers: { group: 'helpers' },
    createdAt: '2027-03-01T07:30:00.000Z',
    expiresAt: '2027-03-31T08:00:00.000Z',
  });
  const assigned = { to: 'hal', toName: 'Hal', by: 'hal', at: asked.createdAt! };
  const made = call('p', { tool: 'hand_off_to_person', status: 'waiting', callbackId: 'p' });
  const words = (of: typeof asked, me = 'ada') =>
    looksOf(seenBy({ user: me, groups: [], claims: {} }, callState(made, of), now), now).words;
  expect(words(asked)).toMatch(/^waits for a person \(helpers\), since /);
  expect([words({ ...asked, assigned }), words({ ...asked, assigned }, 'hal')]).toEqual([
    'Hal has taken over',
    'you have taken over',
  ]);
  const run = { id: made.runId, status: 'waiting' } as never;
  const state = (of: typeof asked) => machineState({ run, calls: [made], callbacks: [of] }, now)!;
  expect(state(asked)).toMatchObject({ state: 'AwaitCallback', words: expect.stringContaining('somebody of helpers') });
  expect(state({ ...asked, assigned }).words).toMatch(/^Until Hal gives the conversation back/);
  expect(standing({ status: 'waiting', waitsFor: 'person' }, now)).toBe('waiting for a person');
  const takenBy = { user: 'hal', name: 'Hal', callbackId: 'p' };
  expect(standing({ status: 'waiting', waitsFor: 'person', role: 'watcher', takenBy }, now)).toBe('Hal has taken over');
});
