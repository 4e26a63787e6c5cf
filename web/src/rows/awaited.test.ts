import type { Conversation, Timer } from 'vigil-client';
import type { Run } from 'vigil-client/shared';
import { awaited } from './awaited';

const now = Date.UTC(2026, 0, 1, 8);
const at = (seconds: number) => new Date(now + seconds * 1_000).toISOString();
const timer = (nextAt: string, status: Timer['status'] = 'active') => ({ status, nextAt }) as Timer;
const inState = (run: Partial<Run>, ...timers: Timer[]) => ({ run, timers }) as Pick<Conversation, 'run' | 'timers'>;

test.each<[string, Pick<Conversation, 'run' | 'timers'>, ReturnType<typeof awaited>]>([
  ['a run at work', inState({ status: 'running' }, timer(at(-60))), { what: 'run' }],
  ['a run that is undone', inState({ status: 'cancelling' }), { what: 'run' }],
  ['a run that should have woken', inState({ status: 'sleeping', until: at(-1) }), { what: 'run' }],
  ['a run that sleeps', inState({ status: 'sleeping', until: at(60) }), undefined],
  ['a run that waits', inState({ status: 'waiting' }), undefined],
  [
    'a timer that is due',
    inState({ status: 'done' }, timer(at(9)), timer(at(-60))),
    { what: 'timer', since: now - 60_000 },
  ],
  ['a timer that comes', inState({ status: 'done' }, timer(at(60))), undefined],
  ['a timer that is over', inState({ status: 'done' }, timer(at(-60), 'cancelled')), undefined],
])('%s: what gives signs now (R197)', (_, conversation, expected) => {
  expect(awaited(conversation, now)).toEqual(expected);
});
