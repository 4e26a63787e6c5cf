import type { OwnTimer, WaitingApproval } from 'vigil-client';
import { summary } from '../../../test/support/page/rows';
import { agentsIn, homeRows } from './home-rows';
import { nextTimers } from './timers';

const timer = (id: string, nextAt: string, more: Partial<OwnTimer> = {}): OwnTimer => ({
  id,
  version: 1,
  kind: 'once',
  nextAt,
  status: 'active',
  fired: 0,
  createdAt: '2026-03-01T08:00:00Z',
  conversationId: 'rests',
  ...more,
});
const listOf = (...all: ReturnType<typeof summary>[]) => new Map(all.map((one) => [one.id, one]));

describe('the home (R156)', () => {
  const list = listOf(
    summary('rests', { agent: 'reminder' }),
    summary('works', { status: 'running' }),
    summary('delegates', { status: 'waiting', waitsFor: 'agent', updatedAt: '2026-03-02T08:00:00Z' }),
    summary('child', { status: 'running', parentId: 'delegates' }),
    summary('asks', { status: 'waiting' }),
    summary('sleeps', { status: 'sleeping', until: '2026-03-04T08:00:00Z' }),
    summary('broken', { status: 'failed' }),
    summary('ended', { status: 'limited' }),
  );
  const timers = [
    timer('later', '2026-03-05T08:00:00Z'),
    timer('soon', '2026-03-03T08:00:00Z'),
    timer('over', '2026-03-02T08:00:00Z', { status: 'done' }),
  ];
  const approvals = [{ agent: 'bank', callback: { id: 'c' } } as WaitingApproval];

  test('has a row for each thing, once, in the order of time', () => {
    const { needsYou, upcoming, running, failed } = homeRows({ list, timers, approvals });
    expect(needsYou).toEqual(approvals);
    expect(upcoming.map(({ key }) => key)).toEqual(['soon', 'sleeps', 'later']);
    expect(running.map(({ id }) => id)).toEqual(['delegates', 'works']);
    expect(failed.map(({ id }) => id).sort()).toEqual(['broken', 'ended']);
  });

  test('can be that of one agent', () => {
    expect(agentsIn(homeRows({ list, timers, approvals }))).toEqual(['bank', 'reminder', 'travel']);
    const { needsYou, upcoming, running, failed } = homeRows({ list, timers, approvals }, 'reminder');
    expect([needsYou, running, failed]).toEqual([[], [], []]);
    expect(upcoming.map(({ key }) => key)).toEqual(['soon', 'later']);
  });

  test('shows the next timer of a conversation, until it has fired', () => {
    expect(nextTimers(timers).get('rests')).toMatchObject({ id: 'soon' });
    const fired = timers.with(1, timer('soon', '2026-03-03T08:00:00Z', { version: 2, status: 'done' }));
    expect(nextTimers(fired).get('rests')).toMatchObject({ id: 'later' });
  });
});
