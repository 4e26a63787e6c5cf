import type { OwnTimer } from '../api-types';
import { lateMs } from './list';

/** Timers by their conversations and ids. */
export type Timers = ReadonlyMap<string, OwnTimer>;

const keyOf = ({ conversationId, id }: OwnTimer): string => `${conversationId} ${id}`;

/** Keeps the highest version of each timer, whatever the order of arrival. */
export function mergeTimers(timers: Timers, came: readonly OwnTimer[]): Timers {
  const newer = came.filter((one) => one.version > (timers.get(keyOf(one))?.version ?? 0));
  return newer.length === 0 ? timers : new Map([...timers, ...newer.map((one) => [keyOf(one), one] as const)]);
}

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
