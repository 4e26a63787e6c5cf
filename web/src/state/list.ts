import type { ConversationSummary } from '../../../core/state/schemas';

export type List = ReadonlyMap<string, ConversationSummary>;

/** Of each conversation the highest version, in whatever order they come. */
export function mergeList(list: List, came: readonly ConversationSummary[]): List {
  const merged = new Map(list);
  for (const one of came) if (one.version > (merged.get(one.id)?.version ?? 0)) merged.set(one.id, one);
  // The same list where nothing is new: whoever shows it need not do so again.
  return came.some((one) => merged.get(one.id) === one) ? merged : list;
}

/** A page of the list as it was read, and what one has to know to tell from it what is gone. */
export interface ReadPage {
  page: readonly ConversationSummary[];
  /** The list when the page was asked for. */
  asked: List;
  /** Where the page begins: the last `updatedAt` of the page before; none for the first. */
  after?: string;
  /** The last page: what is older would be on it. */
  last: boolean;
  now: number;
}

/** The list is read from an index, which is late by moments. */
const lateMs = 10_000;

/**
 * The list without what was deleted while nobody told us: what lies where the page has read and is not on it. What has changed
 * since the page was asked for is spared, and what is so new that the index may not have it.
 */
export function withoutDeleted(list: List, { page, asked, after, last, now }: ReadPage): List {
  const there = new Set(page.map(({ id }) => id));
  const end = last ? '' : (page.at(-1)?.updatedAt ?? after);
  const isDeleted = (one: ConversationSummary) =>
    !there.has(one.id) &&
    asked.get(one.id) === one &&
    (after === undefined || one.updatedAt < after) &&
    (end === undefined || one.updatedAt > end) &&
    Date.parse(one.updatedAt) < now - lateMs;
  const kept = [...list].filter(([, one]) => !isDeleted(one));
  return kept.length < list.size ? new Map(kept) : list;
}

/** Whether its owner has to do something. */
export const waitsForYou = ({ status, waitsFor = 'you' }: Pick<ConversationSummary, 'status' | 'waitsFor'>): boolean =>
  status === 'waiting' && waitsFor === 'you';

/** What waits for you first, then the last changed. */
export const sorted = (list: List): ConversationSummary[] =>
  [...list.values()].sort(
    (a, b) => Number(waitsForYou(b)) - Number(waitsForYou(a)) || (a.updatedAt < b.updatedAt ? 1 : -1),
  );

export const waitingCount = (list: List): number => [...list.values()].filter(waitsForYou).length;

/** When the next sleeper wakes or the next of these moments comes, if one lies ahead. */
export function nextMoment(moments: readonly (string | undefined)[], now: number): string | undefined {
  return moments
    .filter((one): one is string => one !== undefined && Date.parse(one) > now)
    .sort((a, b) => Date.parse(a) - Date.parse(b))[0];
}
