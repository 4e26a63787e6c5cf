import { NotAllowed } from '../../base/text/errors';
import { approversIn, approverWords, type Caller } from '../agent/approvers';
import type { Meta } from '../rows/meta';
import type { StoredCallback, StoredStandIn } from '../rows/rows';
import type { Table } from '../store/table';
import { readStandIns } from './absence';
import { type Capacity, capacityOf, decidersNow, hasDecidedInPlaceOf, standInOf } from './steps';

/**
 * Returns what a person is for a callback at this time, and in whose place. Who is neither the owner nor an approver learns nothing, not even
 * that there is a conversation.
 */
export async function rightOf(
  table: Table,
  { owner }: Meta,
  callback: StoredCallback | undefined,
  person: Caller,
  now: Date,
): Promise<{ capacity?: Capacity; standIn?: StoredStandIn }> {
  if (!owner || !callback) return {};
  const own = callback.decider === undefined ? undefined : capacityOf(callback, owner, person, now);
  const instead = hasDecidedInPlaceOf(callback, person.user);
  if (own === 'may decide' || (own === 'has decided' && instead === undefined)) return { capacity: own };
  const standIns = await readStandIns(table, person.user, now);
  if (own === 'has decided') {
    // Whoever has decided may still deny it: a stand-in only while the absence lasts.
    const still = standIns.find(({ user }) => user === instead);
    return still ? { capacity: own, standIn: still } : { capacity: 'another time' };
  }
  const standIn = standInOf(callback, owner, person, standIns, now);
  return standIn ? { capacity: 'may decide', standIn } : { capacity: own };
}

/** Says who can decide now. */
export function notYours(callback: StoredCallback, now: Date): NotAllowed {
  const words = decidersNow(callback, now).map((decider) => {
    const others = approversIn(decider);
    return others ? approverWords(others) : 'the owner of the conversation';
  });
  const except = callback.excludesOwner ? ', but not the owner of the conversation' : '';
  return new NotAllowed(`You cannot decide about this: ${words.join(' or ')} can${except}.`, {
    kind: 'not-an-approver',
  });
}
