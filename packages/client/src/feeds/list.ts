import type { ConversationSummary } from '../api-types';

export type List = ReadonlyMap<string, ConversationSummary>;

/** Keeps the highest version of each conversation, whatever the order of arrival. */
export function mergeList(list: List, came: readonly ConversationSummary[]): List {
  const merged = new Map(list);
  for (const one of came) if (tellsMore(one, merged.get(one.id))) merged.set(one.id, one);
  // Returns the same object if nothing is new, so that no component renders again.
  return came.some((one) => merged.get(one.id) === one) ? merged : list;
}

/** A list from an index lacks the reason of the same version. */
function tellsMore(came: ConversationSummary, held: ConversationSummary | undefined): boolean {
  if (came.version !== held?.version) return came.version > (held?.version ?? 0);
  return came.reason !== undefined && held.reason === undefined;
}

/** Orders the list as the server does: pinned conversations first, then by the last change. The greatest place comes first. */
export const placeOf = ({ pinned, updatedAt }: Pick<ConversationSummary, 'pinned' | 'updatedAt'>): string =>
  pinned ? `~${updatedAt}` : updatedAt;

/** A page of the list, with what is needed to detect deleted conversations. */
export interface ReadPage {
  page: readonly ConversationSummary[];
  /** The list at the time of the request. */
  asked: List;
  /** The last place on the previous page; undefined for the first page. */
  after?: string;
  /** Whether this is the last page. */
  last: boolean;
  now: number;
}

/** The list is read from an index, which lags by moments. */
export const lateMs = 10_000;

/**
 * Removes conversations that were deleted without a push: those in the range of the page but not on it. Spares those
 * that have changed since the request, and those too new for the index. Archived ones are on no such page, nor are those of other users.
 */
export function withoutDeleted(list: List, { page, asked, after, last, now }: ReadPage): List {
  const there = new Set(page.map(({ id }) => id));
  const end = last ? '' : (page.map(placeOf).at(-1) ?? after);
  const isDeleted = (one: ConversationSummary) =>
    !there.has(one.id) &&
    !one.archived &&
    one.role === undefined &&
    asked.get(one.id) === one &&
    (after === undefined || placeOf(one) < after) &&
    (end === undefined || placeOf(one) > end) &&
    Date.parse(one.updatedAt) < now - lateMs;
  const kept = [...list].filter(([, one]) => !isDeleted(one));
  return kept.length < list.size ? new Map(kept) : list;
}

/**
 * Removes conversations that were deleted without a push: those with a run that is not over or can be retried, which the
 * server no longer lists as such.
 */
export function withoutClosed(
  list: List,
  { open, asked, now }: { open: readonly ConversationSummary[]; asked: List; now: number },
): List {
  const there = new Set(open.map(({ id }) => id));
  const isDeleted = (one: ConversationSummary) =>
    !there.has(one.id) &&
    !['idle', 'done', 'cancelled'].includes(one.status) &&
    one.role === undefined &&
    asked.get(one.id) === one &&
    Date.parse(one.updatedAt) < now - lateMs;
  const kept = [...list].filter(([, one]) => !isDeleted(one));
  return kept.length < list.size ? new Map(kept) : list;
}

/** Removes conversations that others share with the user no more: those that were known at the request, and are not among all that were read. */
export function withoutUnshared(
  list: List,
  { shared, asked }: { shared: readonly ConversationSummary[]; asked: List },
): List {
  const there = new Set(shared.map(({ id }) => id));
  const kept = [...list].filter(([id, one]) => one.role === undefined || there.has(id) || asked.get(id) !== one);
  return kept.length < list.size ? new Map(kept) : list;
}

/** Returns the first conversation of its family: those that were forked from one another. */
export const rootOf = ({ id, rootId = id }: { id: string; rootId?: string }): string => rootId;
