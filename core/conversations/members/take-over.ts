import { asksFor } from 'vigil-client/shared';
import type { Taker } from '../../base/state/schemas';
import { InvalidInput, NotAllowed, WrongState } from '../../base/text/errors';
import type { Agent } from '../agent/agent';
import { deciderOf } from '../agent/approvers';
import { type People, personToolName } from '../agent/tool';
import type { Meta } from '../rows/meta';
import type { StoredAssignment, StoredCallback } from '../rows/rows';
import { noConversation } from '../store/change-conversation';
import { nameFrom } from './members';
import { namesOf, type Person, roleIn, takerIn, userOf } from './role';

/**
 * A person takes a conversation over from its agent. The agent asks for it by the tool `hand_off_to_person`, or the person steps in. The run
 * waits for a callback of kind `person`, which those of the group find in their inbox. The one who claims it is assigned, and a member of the
 * conversation until they give it back: META says so, so the rule of who may do what, and every change, see both at once.
 *
 * What they write, and what the owner writes meanwhile, is for people: no agent answers it. The agent reads it when it goes on.
 */

/** Returns META's note of who has taken over, for an assignment. */
export function takerOf({ id, kind, assigned }: Pick<StoredCallback, 'id' | 'kind' | 'assigned'>): Taker | undefined {
  if (!asksFor(kind, 'take-over') || !assigned) return undefined;
  const name = assigned.toName === undefined ? undefined : nameFrom(assigned.toName);
  return { user: assigned.to, ...(name !== undefined && { name }), callbackId: id };
}

/**
 * Checks that a claim takes nothing from another person by accident. Two who claim at once: one of them has it.
 *
 * @param from who has it, as far as the caller knows.
 * @throws WrongState if somebody else has it.
 */
export function checkClaim(
  held: StoredAssignment | undefined,
  { by, to, from }: { by: string; to: string | undefined; from: string | undefined },
): void {
  if (!held || held.to === from || (to === undefined && held.to === by)) return;
  const who = held.toName ?? held.to;
  throw new WrongState(`${who} has taken this conversation over. To take it from them, give their id as \`from\`.`, {
    kind: 'taken-over',
    values: { who },
  });
}

/** Returns the people of an agent who may take over from it without being asked, and to whom a person belongs. */
export const mayStepIn = ({ people = [] }: Pick<Agent, 'people'>, person: Person): People | undefined =>
  people.find(({ group, mayStepIn: may }) => may && namesOf(person).includes(deciderOf({ group }, '')));

/**
 * Returns the call by which a person steps in: the next step makes it without asking the model.
 *
 * @throws NotFound for a stranger of no such group.
 * @throws NotAllowed for the owner, and for members of no such group.
 * @throws WrongState if it waits for a person already.
 */
export function steppingIn(meta: Meta, agent: Agent | undefined, person: Person, reason: string) {
  const allowed = agent && userOf(person) !== meta.owner ? mayStepIn(agent, person) : undefined;
  if (!meta.owner || (!allowed && !roleIn(meta, person))) throw noConversation(meta.conversationId);
  if (!allowed)
    throw new NotAllowed('You may not take this conversation over: its agent names no group of yours that may.');
  const taker = takerIn(meta);
  if (taker)
    throw new WrongState('A person has taken this conversation over already.', {
      kind: 'taken-over',
      values: { who: taker.name ?? taker.user },
    });
  return { tool: personToolName, arguments: JSON.stringify({ group: allowed.group, reason }) };
}

/** @throws NotAllowed if a person who has not taken the conversation over wants to give it back. @throws InvalidInput if it is no hand-off. */
export function checkGivesBack(
  meta: Meta,
  { id, kind }: StoredCallback,
  user: string,
  ends: boolean | undefined,
): void {
  if (!asksFor(kind, 'take-over')) {
    if (ends) throw new InvalidInput('ends', 'only who has taken a conversation over ends it so');
    return;
  }
  if (takerIn(meta)?.callbackId !== id || takerIn(meta)?.user !== user)
    throw new NotAllowed('Only the person who has taken this conversation over gives it back. Claim it first.');
}
