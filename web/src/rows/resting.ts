import type { Conversation } from 'vigil-client';
import { isActive } from './list';
import { activeOf } from './timers';

/** What a conversation at rest waits for by itself: its run wakes, or a timer comes. */
export interface Resting {
  of: 'run' | 'timer';
  /** ISO time at which it goes on. */
  at: string;
  /** ISO time since which it waits for that; undefined if no row says. */
  since?: string;
}

/** Returns what the conversation waits for, or undefined while it works, waits for somebody, or has ended for good. */
export function restingOf({ run, calls, timers }: Pick<Conversation, 'run' | 'calls' | 'timers'>): Resting | undefined {
  if (run?.status === 'sleeping' && run.until) {
    const { until } = run;
    const asleep = calls.find((call) => call.runId === run.id && call.status === 'waiting' && call.until === until);
    return { of: 'run', at: until, since: asleep?.startedAt ?? asleep?.createdAt };
  }
  if (isActive(run) || run?.status === 'cancelling' || run?.status === 'failed' || run?.status === 'limited')
    return undefined;
  const [next] = activeOf(timers);
  if (!next) return undefined;
  const { nextAt: at, rule = '', createdAt } = next;
  const [, every] = /^every (\d+) seconds$/.exec(rule) ?? [];
  if (every) return { of: 'timer', at, since: new Date(Date.parse(at) - Number(every) * 1_000).toISOString() };
  return { of: 'timer', at, ...(rule === '' && { since: createdAt }) };
}
