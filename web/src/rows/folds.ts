import { filesIn, isForPeople } from 'vigil-client/shared';
import { t } from '../languages/catalogue';
import { toolWords } from '../words/words';
import type { CallCard, Item } from './transcript';

/** Finished calls that follow each other, as one line of the transcript. */
export type Fold = { kind: 'calls'; key: string; cards: CallCard[] };

/** Whether a finished call says nothing that its title does not: nobody was asked, nothing was made, and nothing went wrong. */
function isQuiet({ call, callback, state }: CallCard): boolean {
  if (state.is !== 'done' || state.notUndone) return false;
  if (callback && isForPeople(callback.kind)) return false;
  return !call.guards?.length && filesIn(call.result).length === 0;
}

/**
 * Returns the items with finished calls in lines. A line has the key of its first call, so it stays the same element while calls join it.
 *
 * @param stays the keys of items that keep their place, because something else is shown there.
 */
export function folded(items: readonly Item[], stays: { has(key: string): boolean }): (Item | Fold)[] {
  const all: (Item | Fold)[] = [];
  for (const item of items) {
    const last = all.at(-1);
    if (item.kind !== 'call' || !isQuiet(item.card) || stays.has(item.key)) all.push(item);
    else if (last?.kind === 'calls') last.cards.push(item.card);
    else all.push({ kind: 'calls', key: `f${item.key}`, cards: [item.card] });
  }
  return all;
}

/** The number of different titles in a line. */
const titlesAtMost = 4;

/** "Look up loans · Read a page ×2 · 3 more" */
export function foldWords(cards: readonly CallCard[]): string {
  const counts = new Map<string, number>();
  for (const { call } of cards) counts.set(toolWords(call), (counts.get(toolWords(call)) ?? 0) + 1);
  const titles = [...counts].map(([title, times]) => (times > 1 ? `${title} ×${times}` : title));
  const shown = titles.length > titlesAtMost ? titles.slice(0, titlesAtMost - 1) : titles;
  const rest = [...counts.values()].slice(shown.length).reduce((sum, times) => sum + times, 0);
  return [...shown, ...(rest > 0 ? [t('{count} more', { count: rest })] : [])].join(' · ');
}

/** Returns how long some calls took: what ran in parallel counts once. Undefined if one does not say. */
export function foldMs(cards: readonly CallCard[]): number | undefined {
  const ran = cards.map(({ call: { startedAt = '', completedAt = '' } }) => [startedAt, completedAt].map(Date.parse));
  let [sum, until] = [0, Number.NEGATIVE_INFINITY];
  for (const [from, to] of ran.sort(([a], [b]) => a! - b!) as [number, number][]) {
    sum += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return Number.isNaN(sum) ? undefined : sum;
}
