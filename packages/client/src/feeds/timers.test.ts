import type { OwnTimer } from '../api-types';
import { mergeTimers, withRead } from './timers';

const timer = (id: string, more: Partial<OwnTimer> = {}): OwnTimer => ({
  id,
  version: 1,
  kind: 'once',
  nextAt: '2026-03-05T08:00:00Z',
  status: 'active',
  fired: 0,
  createdAt: '2026-03-01T08:00:00Z',
  conversationId: 'rests',
  ...more,
});
const timers = mergeTimers(new Map(), [timer('later'), timer('soon'), timer('over', { status: 'done' })]);

test('the highest version of each timer is kept, in any order of arrival (R156)', () => {
  const fired = mergeTimers(timers, [timer('soon', { version: 2, status: 'done' })]);
  expect(fired.get('rests soon')).toMatchObject({ status: 'done' });
  expect(mergeTimers(fired, [timer('soon')])).toBe(fired);
});

test('a timer that ended without a push leaves with the next read, unless it is new or has changed (R156)', () => {
  const now = Date.parse('2026-03-02T00:00:00Z');
  const came = mergeTimers(timers, [
    timer('later', { version: 2 }),
    timer('new', { createdAt: '2026-03-01T23:59:59Z' }),
  ]);
  const left = withRead(came, { read: [], asked: timers, now });
  expect([...left.values()].map(({ id }) => id)).toEqual(['later', 'new']);
});
