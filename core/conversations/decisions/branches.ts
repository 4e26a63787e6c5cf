import type { Turn } from '../../base/state/schemas';

/** More of them take too much of a row. The first ones are then forgotten, and lead nowhere. */
const turnsAtMost = 100;

export interface Departure {
  /** The forked conversation, and its own turns. */
  from: string;
  path: readonly Turn[];
  /** The message in it that the fork replaces. */
  at: number;
  /** The new conversation, and the place of its first message that is not a copy. */
  by: string;
  seq: number;
}

/**
 * Returns the turns of a fork. A message that the forked conversation has copied belongs to the conversation from which it comes: replacing it
 * makes another version of that one's message.
 */
export function pathOf({ from, path, at, by, seq }: Departure): Turn[] {
  const later = path.findIndex((turn) => turn.seq >= at);
  if (later < 0) return [...path, { of: from, at, by, seq }].slice(-turnsAtMost);
  const turn = path[later]!;
  return [...path.slice(0, later), { of: turn.of, at: turn.seq === at ? turn.at : at, by, seq }];
}
