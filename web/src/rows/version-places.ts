import type { Message } from 'vigil-client';
import type { Versions } from './branches';
import type { Item } from './transcript';

/** The versions that an item shows, and their place in the conversation. */
export interface Place {
  seq: number;
  versions: Versions;
}

/** Returns which items show the arrows between versions, by key: each time the first one that is not from before the place. */
export function versionPlaces(
  items: readonly Item[],
  messages: readonly Message[],
  all: ReadonlyMap<number, Versions>,
): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  if (all.size === 0) return places;
  const steps = new Map(messages.map(({ runId, step, seq }) => [`${runId} ${step}`, seq]));
  const seqOf = (item: Item): number | undefined => {
    if ('message' in item) return item.message.seq;
    return 'card' in item ? steps.get(`${item.card.call.runId} ${item.card.call.step}`) : undefined;
  };
  for (const [seq, versions] of all) {
    const item = items.find((one) => (seqOf(one) ?? 0) >= seq);
    if (item) places.set(item.key, { seq, versions });
  }
  return places;
}
