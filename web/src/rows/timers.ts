import type { OwnTimer, Timer } from 'vigil-client';

/** Returns the active ones of some timers, the next one first. */
export const activeOf = <One extends Pick<Timer, 'status' | 'nextAt'>>(timers: Iterable<One>): One[] =>
  [...timers].filter(({ status }) => status === 'active').sort((a, b) => Date.parse(a.nextAt) - Date.parse(b.nextAt));
/** Returns the active ones, and after them those that are paused. */
export const openOf = <One extends Pick<Timer, 'status' | 'nextAt'>>(timers: Iterable<One>): One[] => {
  const all = [...timers];
  return [...activeOf(all), ...all.filter(({ status }) => status === 'paused')];
};
/** Returns the timer that says how a conversation at rest goes on: the next one, or one that is paused. */
export const shownTimer = <One extends Pick<Timer, 'status' | 'nextAt'>>(timers: Iterable<One>): One | undefined =>
  openOf(timers)[0];
/** Returns that timer for each conversation that has one. */
export const nextTimers = (timers: readonly OwnTimer[]): ReadonlyMap<string, OwnTimer> =>
  new Map(
    openOf(timers)
      .reverse()
      .map((timer) => [timer.conversationId, timer]),
  );
