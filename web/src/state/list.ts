import type { ConversationSummary } from '../../../core/schemas';

export type List = ReadonlyMap<string, ConversationSummary>;

/** Of each conversation the highest version, in whatever order they come. */
export function mergeList(list: List, came: readonly ConversationSummary[]): List {
  const merged = new Map(list);
  for (const one of came) if (one.version > (merged.get(one.id)?.version ?? 0)) merged.set(one.id, one);
  // The same list where nothing is new: whoever shows it need not do so again.
  return came.some((one) => merged.get(one.id) === one) ? merged : list;
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
