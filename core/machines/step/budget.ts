import { noUsage } from '../../base/state/schemas';
import { ConversationBusy } from '../../base/text/errors';
import { exhaustedByUser, isUserLimited, limitsOfShared, tokensOf } from '../../conversations/agent/limits';
import { expectedUsage, priced } from '../../conversations/agent/prices';
import { limitRun } from '../../conversations/runs/run';
import { readSpending, reserve } from '../../conversations/runs/spending';
import { isScheduled, type Stage } from './step';

/** Reserves what the step may use of its user's budget, in deployments with limits per user. If it is used up, the run ends. */
export const budget: Stage = {
  async enter(step) {
    const { loop, at, last, draft, meta, own, isAlone, request } = step;
    const { table, model, now } = loop;
    if (!isUserLimited(loop.limits)) return undefined;
    const { conversationId } = at;
    const { owner } = meta;
    const limits = isAlone ? loop.limits : limitsOfShared(loop.limits);
    const { price } = model.about(request.agent);
    const estimate = isScheduled(step) ? noUsage : priced(expectedUsage(request), price);
    const reserving = { held: own.reserved, estimate, limits, now: now() };
    step.reservation = await reserve(table, { conversationId, owner, draft }, reserving);
    if (step.reservation) return undefined;
    const next = { steps: 1, tokens: tokensOf(estimate), costMicrodollars: estimate.costMicrodollars };
    const reason = exhaustedByUser(limits, await readSpending(table, owner, now()), next);
    // Another step has given back its reservation meanwhile. The state machine tries again.
    if (!reason) throw new ConversationBusy('The budget of this user was reserved by other steps. Try again.');
    return limitRun(table, last, { reason, evenUnread: true }, now());
  },
};
