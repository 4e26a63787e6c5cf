import type { WaitingApproval } from 'vigil-client';

/** When what the user has put off comes back, by the callback's id. */
export type Snoozed = ReadonlyMap<string, string>;

export interface Waiting {
  /** What waits for the user now. */
  waiting: readonly WaitingApproval[];
  /** What they have put off, the next one first. */
  snoozed: readonly WaitingApproval[];
}

/** So long before it expires, what was put off is back. */
const marginMs = 3_600_000;

/** Returns when something comes back that is put off until a time: early enough to decide about it. Undefined if there is no time for that. */
export function backAt({ callback }: WaitingApproval, until: number, now: number): number | undefined {
  const back = Math.min(until, Date.parse(callback.expiresAt) - marginMs);
  return back > now ? back : undefined;
}

/** Puts some of what waits off. What has come back meanwhile is forgotten. */
export function withSnoozed(snoozed: Snoozed, some: readonly WaitingApproval[], until: number, now: number): Snoozed {
  const kept = new Map([...snoozed].filter(([, at]) => Date.parse(at) > now));
  for (const one of some) {
    const back = backAt(one, until, now);
    if (back !== undefined) kept.set(one.callback.id, new Date(back).toISOString());
  }
  return kept;
}

export function withoutSnoozed(snoozed: Snoozed, id: string): Snoozed {
  const kept = new Map(snoozed);
  kept.delete(id);
  return kept;
}

/** Separates what waits now from what is put off. */
export function splitSnoozed(approvals: readonly WaitingApproval[], snoozed: Snoozed, now: number): Waiting {
  if (snoozed.size === 0) return { waiting: approvals, snoozed: [] };
  const backOf = ({ callback: { id } }: WaitingApproval) => Date.parse(snoozed.get(id) ?? '');
  const isOff = (one: WaitingApproval) => backOf(one) > now;
  return {
    waiting: approvals.filter((one) => !isOff(one)),
    snoozed: approvals.filter(isOff).sort((a, b) => backOf(a) - backOf(b)),
  };
}

export function snoozedFrom(kept: string | null): Snoozed {
  try {
    const entries = JSON.parse(kept ?? '[]') as [unknown, unknown][];
    return new Map(entries.filter((one): one is [string, string] => one.every((part) => typeof part === 'string')));
  } catch {
    return new Map();
  }
}
