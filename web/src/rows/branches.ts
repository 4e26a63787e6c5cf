import type { ConversationSummary } from 'vigil-client';
import { type Branch, type List, rootOf } from 'vigil-client/shared';
import type { VigilState } from '../state/vigil-state';
import { waitsForYou } from './list';

/** The versions of a message or reply: the conversation to open for each, and which one is shown. */
export interface Versions {
  ids: string[];
  index: number;
}

/** Returns the families without a deleted conversation. */
export const withoutBranch = (all: VigilState['branches'], id: string): VigilState['branches'] =>
  new Map([...all].map(([root, branches]) => [root, branches.filter((one) => one.id !== id)]));

/** Whether it is a version of the open conversation that the page does not know yet. */
export function isNewVersion({ open, branches }: VigilState, list: List, came: ConversationSummary): boolean {
  if (!open || came.id === open) return false;
  const root = rootOf(list.get(open) ?? { id: open });
  return rootOf(came) === root && !branches.get(root)?.some(({ id }) => id === came.id);
}

/** Returns one conversation of each family, in the given order: the one that waits for the user, else the last changed one. */
export function oneOfEach(conversations: readonly ConversationSummary[]): ConversationSummary[] {
  const shown = new Map<string, ConversationSummary>();
  for (const one of conversations) {
    const other = shown.get(rootOf(one));
    const [waits, otherWaits] = [waitsForYou(one), other !== undefined && waitsForYou(other)];
    if (!other || (waits === otherWaits ? one.updatedAt > other.updatedAt : waits)) shown.set(rootOf(one), one);
  }
  return conversations.filter((one) => shown.get(rootOf(one)) === one);
}

/**
 * Returns the places in a conversation that have other versions, by the seq of its message there. A version is all conversations that have the
 * same message there; the last begun one is opened.
 */
export function versionsIn(branches: readonly Branch[], id: string): ReadonlyMap<number, Versions> {
  const own = branches.find((one) => one.id === id);
  const places = new Map<number, Versions>();
  if (!own) return places;
  const oldestFirst = [...branches].sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  for (const { of, at } of branches.flatMap(({ path }) => path)) {
    const mine = versionAt(own, of, at);
    if (!mine || places.has(mine.seq)) continue;
    const versions = new Map<string, string>();
    for (const branch of oldestFirst) {
      const there = versionAt(branch, of, at);
      if (there) versions.set(there.by, there.by === mine.by ? id : branch.id);
    }
    const index = [...versions.keys()].indexOf(mine.by);
    if (versions.size > 1) places.set(mine.seq, { ids: [...versions.values()], index });
  }
  return places;
}

/** Returns which version of a message a conversation has, by the conversation that made it, and where; undefined if it has none. */
function versionAt({ id, path }: Branch, of: string, at: number): { by: string; seq: number } | undefined {
  const turn = path.find((one) => one.of === of);
  if (!turn) return id === of ? { by: of, seq: at } : undefined;
  if (turn.at === at) return { by: turn.by, seq: turn.seq };
  return turn.at > at ? { by: of, seq: at } : undefined;
}
