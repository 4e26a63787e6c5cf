import type { Meta } from '../rows/meta';
import type { StoredMessage } from '../rows/rows';
import { placeOf } from './transcript';

/**
 * What was recalled about an owner is for them alone. Steps store it, and summaries have it: so a summary says which is the first step whose
 * recalled words it has.
 */

/** Returns the first message whose recalled words, and the summaries with these, are about its owner of today, and for them alone. */
export const firstRecalled = ({ handedOver }: Pick<Meta, 'handedOver'>, isAlone: boolean): number =>
  isAlone ? (handedOver?.seq ?? 0) + 1 : Number.POSITIVE_INFINITY;

/** Returns the first message whose recalled words are in these, of which some may be summaries; null if none are. */
export function recalledIn(messages: readonly StoredMessage[]): number | null {
  const all = messages.flatMap((one) => (one.recalled === undefined ? (one.recalledFrom ?? []) : one.seq));
  return all.length === 0 ? null : Math.min(...all);
}

/**
 * Returns the messages as models read them, without what was recalled before `first`. A summary that has it is left out: what it covers is read
 * again, until there is another one. The sources of what was recalled stay, because replies may have its words.
 */
export function withoutRecalled(messages: StoredMessage[], first: number): StoredMessage[] {
  // Those of an earlier version do not say what they have.
  const from = ({ covers = 0, recalledFrom }: StoredMessage) =>
    recalledFrom === undefined ? recalledIn(messages.filter((one) => placeOf(one) <= covers)) : recalledFrom;
  return messages
    .filter((one) => one.covers === undefined || (from(one) ?? Number.POSITIVE_INFINITY) >= first)
    .map((one) => (one.recalled === undefined || one.seq >= first ? one : { ...one, recalled: undefined }));
}
