import type { ConversationSummary } from 'vigil-client';
import type { List } from 'vigil-client/shared';
import { t } from '../languages/catalogue';
import { locale } from '../languages/locale';
import { ownZone } from '../words/words';
import { oneOfEach } from './branches';
import { sorted, waitsForYou } from './list';

export interface Group {
  title: string;
  conversations: ConversationSummary[];
}

const dayMs = 86_400_000;

/**
 * Returns the list in groups: what needs the user, what is pinned, what others share with the user, then by the day of the last change in this time zone. Archived
 * conversations are in none.
 */
export function groupsOf(list: List, now: number, timeZone = ownZone): Group[] {
  const days = daysIn(timeZone);
  const groups: Group[] = [];
  const isShared = ({ role }: ConversationSummary) => role !== undefined;
  const all = oneOfEach(sorted(list));
  const [first, later] = [all.filter(keptAbove), all.filter((one) => !keptAbove(one))];
  for (const one of [...first, ...later.filter(isShared), ...later.filter((one) => !isShared(one))]) {
    if (one.archived) continue;
    const title = groupOf(one, now, days);
    const last = groups.at(-1);
    if (last?.title === title) last.conversations.push(one);
    else groups.push({ title, conversations: [one] });
  }
  return groups;
}

const keptAbove = (one: ConversationSummary): boolean => waitsForYou(one) || one.pinned === true;

function groupOf(one: ConversationSummary, now: number, { dayOf, monthOf }: ReturnType<typeof daysIn>): string {
  if (waitsForYou(one)) return t('Needs you');
  if (one.pinned) return t('Pinned');
  if (one.role) return t('Shared with you');
  const changed = Date.parse(one.updatedAt);
  const ago = dayOf(now) - dayOf(changed);
  if (ago <= 0) return t('Today');
  if (ago === 1) return t('Yesterday');
  if (ago <= 7) return t('Previous 7 days');
  if (ago <= 30) return t('Previous 30 days');
  return monthOf(changed);
}

function daysIn(timeZone: string) {
  const date = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const month = new Intl.DateTimeFormat(locale(), { timeZone, year: 'numeric', month: 'long' });
  return {
    /** The number of the day on the calendar there. Days of 23 and 25 hours count as one. */
    dayOf: (ms: number): number => Date.parse(date.format(ms)) / dayMs,
    monthOf: (ms: number): string => month.format(ms),
  };
}
