import type { Timer } from 'vigil-client';
import type { TimerPage } from 'vigil-client/shared';

/** A timer of the user, and the conversation that it belongs to. */
export type OwnTimer = TimerPage['timers'][number];
/** The timers of all conversations, those that have ended meanwhile included. */
export type Timers = ReadonlyMap<string, OwnTimer>;

const keyOf = ({ conversationId, id }: OwnTimer): string => `${conversationId} ${id}`;

/** Keeps the highest version of each timer, whatever the order of arrival. */
export function mergeTimers(timers: Timers, came: readonly OwnTimer[]): Timers {
  const newer = came.filter((one) => one.version > (timers.get(keyOf(one))?.version ?? 0));
  return newer.length === 0 ? timers : new Map([...timers, ...newer.map((one) => [keyOf(one), one] as const)]);
}

/** The index lags by moments. */
const lateMs = 10_000;

/** Merges all open timers, as they were read. Others that have not changed since the request have ended without a push. */
export function withRead(
  timers: Timers,
  { read, asked, now }: { read: readonly OwnTimer[]; asked: Timers; now: number },
): Timers {
  const there = new Set(read.map(keyOf));
  const isOver = ([key, one]: [string, OwnTimer]) =>
    !there.has(key) && asked.get(key) === one && Date.parse(one.createdAt) < now - lateMs;
  return mergeTimers(new Map([...timers].filter((entry) => !isOver(entry))), read);
}

/** Returns the active ones of some timers, the next one first. */
export const activeOf = <One extends Pick<Timer, 'status' | 'nextAt'>>(timers: Iterable<One>): One[] =>
  [...timers].filter(({ status }) => status === 'active').sort((a, b) => Date.parse(a.nextAt) - Date.parse(b.nextAt));
/** Returns the active ones, and after them those that are paused. */
export const openOf = <One extends Pick<Timer, 'status' | 'nextAt'>>(timers: Iterable<One>): One[] => {
  const all = [...timers];
  return [...activeOf(all), ...all.filter(({ status }) => status === 'paused')];
};
const activeTimers = (timers: Timers): OwnTimer[] => activeOf(timers.values());

/** Returns the next timer of each conversation that has one. */
export const nextTimers = (timers: Timers): ReadonlyMap<string, OwnTimer> =>
  new Map(
    activeTimers(timers)
      .reverse()
      .map((timer) => [timer.conversationId, timer]),
  );
