import type { SegmentInput } from '../../base/state/loop-state';
import { noUsage } from '../../base/state/schemas';
import { ConversationBusy } from '../../base/text/errors';
import { exhaustedByUser, isUserLimited, limitsOfShared, tokensOf } from '../../conversations/agent/limits';
import type { ModelRequest } from '../../conversations/agent/model';
import { expectedUsage, priced } from '../../conversations/agent/prices';
import type { Draft, Meta } from '../../conversations/rows/meta';
import type { StoredMessage } from '../../conversations/rows/rows';
import { type Reservation, readSpending, reserve } from '../../conversations/runs/spending';
import type { Loop } from '../loop/advance';

/** Reserves what the step may use of its user's budget, in deployments with limits per user. `usedUp`: the reason if it is used up. */
export async function budgetOf(
  { table, limits: all, model, now }: Loop,
  { conversationId }: SegmentInput,
  {
    draft,
    meta,
    own,
    isAlone,
    request,
  }: {
    draft: Draft;
    meta: Meta;
    own: StoredMessage;
    /** Whether the conversation is its owner's alone. */
    isAlone: boolean;
    request: Pick<ModelRequest, 'agent' | 'items'>;
  },
): Promise<{ reservation?: Reservation; usedUp?: string }> {
  if (!isUserLimited(all)) return {};
  const limits = isAlone ? all : limitsOfShared(all);
  const { owner } = meta;
  const { price } = model.about(request.agent);
  const estimate = draft.scheduled?.length ? noUsage : priced(expectedUsage(request), price);
  const step = { conversationId, owner, draft };
  const reservation = await reserve(table, step, { held: own.reserved, estimate, limits, now: now() });
  if (reservation) return { reservation };
  const next = { steps: 1, tokens: tokensOf(estimate), costMicrodollars: estimate.costMicrodollars };
  const usedUp = exhaustedByUser(limits, await readSpending(table, owner, now()), next);
  // Another step has given back its reservation meanwhile. The state machine tries again.
  if (!usedUp) throw new ConversationBusy('The budget of this user was reserved by other steps. Try again.');
  return { usedUp };
}
