import { asksFor } from 'vigil-client/shared';
import { InvalidInput } from '../../base/text/errors';
import type { Caller } from '../agent/approvers';
import { assignCallback, readCallback, whyNotAnswered } from '../calls/callback';
import { isAwaited } from '../conversation/answer';
import { roleIn } from '../members/role';
import { checkClaim } from '../members/take-over';
import type { StoredAssignment, StoredCallback } from '../rows/rows';
import { withTaker } from '../runs/standing';
import { changeConversation, noConversation } from '../store/change-conversation';
import type { Table } from '../store/table';
import { knownCaller } from './known-deciders';
import { nameOf } from './person-name';
import { notYours, rightOf } from './right';
import { assignmentOf, dueStep } from './steps';

/**
 * Asks one of those who can decide about an approval to do it, or, without `to`, nobody in particular. It is a hint: others still may
 * decide. Repeating it changes nothing.
 *
 * Of a hand-off to a person, it is the claim: that person has the conversation until they give it back, or release it.
 *
 * @param asked.from for a hand-off: who has it. Without it, nothing is taken from anybody.
 * @returns the callback, as it was before.
 * @throws NotFound if there is no such callback, or the caller is neither the owner nor one of its approvers.
 * @throws NotAllowed if the caller cannot decide about it now.
 * @throws AlreadyAnswered, WrongState if it does not wait for a decision, or somebody else has it.
 * @throws InvalidInput if it is neither, or that person is not known to be able to decide.
 */
export function assign(
  table: Table,
  { conversationId, callbackId, ...caller }: Caller & { conversationId: string; callbackId: string },
  { to, from }: { to?: string; from?: string },
  now: Date,
): Promise<StoredCallback> {
  return changeConversation<StoredCallback>(table, conversationId, async (meta) => {
    const callback = await readCallback(table, conversationId, callbackId);
    const { capacity } = await rightOf(table, meta, callback, caller, now);
    if (!meta.owner || (!roleIn(meta, caller) && !capacity)) throw noConversation(conversationId);
    const isTakeOver = asksFor(callback?.kind, 'take-over');
    if (callback && !isTakeOver && !asksFor(callback.kind, 'decision'))
      throw new InvalidInput('callbackId', 'only approvals and hand-offs to a person can be assigned');
    if (!callback || !isAwaited(meta, callback, now))
      throw await whyNotAnswered(table, conversationId, callbackId, 'approval', now);
    if (capacity !== 'may decide') throw notYours(callback, now);
    const held = assignmentOf(callback);
    if (held?.to === to) return { answer: callback };
    if (isTakeOver) checkClaim(held, { by: caller.user, to, from });
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
    const claimed = isTakeOver ? withTaker(meta, { ...callback, assigned }) : meta;
    return { meta: claimed, rows: [assignCallback(callback, assigned)], answer: callback };
  });
}
