import type { ConversationSummary } from 'vigil-client';
import type { List } from 'vigil-client/shared';
import { oneOfEach } from '../rows/branches';
import { waitsForYou } from '../rows/list';
import type { Waiting } from './snoozed';

/** The changes that the user has seen: the last one of each conversation, and everything up to `since`. */
export interface Seen {
  since: string;
  at: Readonly<Record<string, string>>;
}

/** More conversations than are new at once. */
const mostKept = 300;

/** Whether a conversation has come to something that its user should see. Work in progress is no news, nor is what they have put away. */
const isNews = (one: ConversationSummary): boolean =>
  !one.parentId && !one.archived && (waitsForYou(one) || ['done', 'failed', 'limited'].includes(one.status));

export const isUnread = (one: ConversationSummary, seen: Seen | undefined): boolean =>
  seen !== undefined && isNews(one) && one.updatedAt > (seen.at[one.id] ?? seen.since);

/** Returns what has been seen when the page is used for the first time: all there is. */
export const seenAtFirst = (list: List): Seen => ({
  since: [...list.values()].reduce((last, { updatedAt }) => (updatedAt > last ? updatedAt : last), ''),
  at: {},
});

/** Returns the same object if nothing changes. */
export function withSeen(seen: Seen, one: ConversationSummary): Seen {
  if (one.updatedAt <= (seen.at[one.id] ?? '')) return seen;
  const entries = Object.entries({ ...seen.at, [one.id]: one.updatedAt }).sort(([, a], [, b]) => (a < b ? 1 : -1));
  const [dropped] = entries.slice(mostKept);
  const since = dropped && dropped[1] > seen.since ? dropped[1] : seen.since;
  return { since, at: Object.fromEntries(entries.slice(0, mostKept)) };
}

/** Returns how many conversations want the user's attention: they wait, also those of others, or have news. What is put off does not. */
export function attentionCount(
  list: List,
  seen: Seen | undefined,
  { waiting, snoozed }: Pick<Waiting, 'waiting' | 'snoozed'>,
): number {
  const idsOf = (approvals: Waiting['waiting']) => approvals.map(({ conversationId }) => conversationId);
  const now = new Set(idsOf(waiting));
  const off = new Set(idsOf(snoozed).filter((id) => !now.has(id)));
  const all = [...list.values()].filter(({ id }) => !off.has(id));
  // The list shows one version of each conversation.
  const own = [...all.filter(waitsForYou), ...oneOfEach(all).filter((one) => isUnread(one, seen))].map(({ id }) => id);
  return new Set([...own, ...now]).size;
}
