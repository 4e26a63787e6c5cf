import { InvalidInput } from '../../base/text/errors';
import type { Caller } from '../agent/approvers';
import { assignCallback, readCallback, whyNotAnswered } from '../calls/callback';
import { isAwaited } from '../conversation/answer';
import { roleIn } from '../members/role';
import type { StoredAssignment, StoredCallback } from '../rows/rows';
import { noConversation } from '../store/change-conversation';
import { retryOnConflict } from '../store/retry-on-conflict';
import { readMeta, type Table, write } from '../store/table';
import { knownCaller } from './known-deciders';
import { nameOf } from './person-name';
import { notYours, rightOf } from './right';
import { assignmentOf, dueStep } from './steps';

/**
 * Asks one of those who can decide about an approval to do it, or, without `to`, nobody in particular. It is a hint: others still may
 * decide. Repeating it changes nothing.
 *
 * @returns the callback, as it was before.
 * @throws NotFound if there is no such callback, or the caller is neither the owner nor one of its approvers.
 * @throws NotAllowed if the caller cannot decide about it now.
 * @throws AlreadyAnswered, WrongState if it does not wait for a decision.
 * @throws InvalidInput if it is no approval, or that person is not known to be able to decide.
 */
export function assign(
  table: Table,
  { conversationId, callbackId, ...caller }: Caller & { conversationId: string; callbackId: string },
  to: string | undefined,
  now: Date,
): Promise<StoredCallback> {
  return retryOnConflict(`The callback ${callbackId} keeps changing.`, async () => {
    const meta = await readMeta(table, conversationId);
    if (!meta?.owner) throw noConversation(conversationId);
    const callback = await readCallback(table, conversationId, callbackId);
    const { capacity } = await rightOf(table, meta, callback, caller, now);
    if (!roleIn(meta, caller) && !capacity) throw noConversation(conversationId);
    if (callback && callback.kind !== 'approval')
      throw new InvalidInput('callbackId', 'this is no approval: only approvals can be assigned');
    if (!callback || !isAwaited(meta, callback, now))
      throw await whyNotAnswered(table, conversationId, callbackId, 'approval', now);
    if (capacity !== 'may decide') throw notYours(callback, now);
    if (assignmentOf(callback)?.to === to) return callback;
    let assigned: StoredAssignment | undefined;
    if (to !== undefined) {
      const person = to === caller.user ? { ...caller, name: nameOf(caller) } : await knownCaller(table, to, now);
      const right = await rightOf(table, meta, callback, person, now);
      if (right.capacity !== 'may decide')
        throw new InvalidInput(
          'to',
          'must be able to decide now, and must have opened their approvals in the last 30 days',
        );
      const byName = nameOf(caller);
      const names = { ...(person.name && { toName: person.name }), ...(byName && { byName }) };
      assigned = { to, by: caller.user, ...names, at: now.toISOString(), step: dueStep(callback) };
    }
    return (await write(table, conversationId, [assignCallback(callback, assigned)])) ? callback : undefined;
  });
}
