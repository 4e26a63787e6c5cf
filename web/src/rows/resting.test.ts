import type { Timer } from 'vigil-client';
import { call } from '../../../test/support/page/rows';
import { restingOf } from './resting';

const at = '2026-11-28T09:00:00.000Z';
const timer = (more: Partial<Timer> = {}) =>
  ({ id: 't', nextAt: at, status: 'active', createdAt: '2026-11-27T08:00:00.000Z', ...more }) as Timer;
const run = (status: string, until?: string) => ({ id: 'r', status, until }) as never;

test('a run asleep rests since its call, a timer since it was made or came last, and nothing else rests (R255)', () => {
  const asleep = call('c', { runId: 'r', status: 'waiting', until: at, startedAt: '2026-11-27T07:00:00.000Z' });
  expect(restingOf({ run: run('sleeping', at), calls: [asleep], timers: [timer()] })).toEqual({
    of: 'run',
    at,
    since: asleep.startedAt,
  });
  const rests = (status: string, one?: Timer) => restingOf({ run: run(status), calls: [], timers: one ? [one] : [] });
  expect(rests('done', timer())).toEqual({ of: 'timer', at, since: '2026-11-27T08:00:00.000Z' });
  expect(rests('done', timer({ rule: 'every 3600 seconds' }))).toMatchObject({ since: '2026-11-28T08:00:00.000Z' });
  expect(rests('cancelled', timer({ rule: '0 9 * * *' }))).toEqual({ of: 'timer', at });
  expect(['running', 'waiting', 'cancelling', 'failed', 'limited'].map((one) => rests(one, timer()))).toEqual(
    Array(5).fill(undefined),
  );
  expect([rests('done'), rests('done', timer({ status: 'paused' }))]).toEqual([undefined, undefined]);
});
