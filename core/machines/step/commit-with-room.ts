import type { Usage } from '../../base/state/schemas';
import type { LimitReached } from '../../base/text/errors';
import type { Decision } from '../../conversations/decisions/decide';
import { withDelegations } from '../../conversations/decisions/delegations';
import { mostOfTransaction } from '../../conversations/rows/size';
import { type AnsweredBy, commitStep } from '../../conversations/runs/commit-step';
import { TransactionTooLarge } from '../../conversations/store/table';
import { isScheduled, type Step } from './step';

/** What has been decided in a step, and what that has used. */
export interface Decided {
  decision: Decision;
  usage: Usage;
}

/** A sub-agent has at least so many rows. */
const rowsOfChild = 4;
const noRoom = 'The reply has too many calls to begin this one, too. Delegate the task in your next reply.';

/** Commits a step with as many of its delegations as the limits of its run and its user allow, and as one transaction takes. The others fail. */
export async function commitWithRoom(step: Step, { decision: made, usage }: Decided): ReturnType<typeof commitStep> {
  const { loop, at, draft, meta, agent, reservation } = step;
  const { table, limits, now, traces } = loop;
  const { subAgentsOfRun = Number.POSITIVE_INFINITY, counts: atMost } = limits;
  const answeredBy = isScheduled(step) ? undefined : answererOf(step);
  const result = { agent, usage, answeredBy, reservation, atMost, traces };
  const asked = meta.run?.delegations ?? 0;
  const tooMany = `A run may ask for at most ${subAgentsOfRun} sub-agents, and this one had asked for ${asked} before. Do the task yourself.`;
  let decision = withDelegations(made, subAgentsOfRun - asked, tooMany, now());
  for (;;) {
    try {
      return await commitStep(table, at, draft, { ...result, decision, now: now() });
    } catch (error) {
      if (decision.children.length === 0) throw error;
      if (error instanceof TransactionTooLarge) {
        const over = Math.ceil((error.rows - mostOfTransaction.rows) / rowsOfChild);
        decision = withDelegations(decision, decision.children.length - Math.max(1, over), noRoom, now());
        continue;
      }
      if ((error as Error).name !== 'LimitReached') throw error;
      const { limit, message } = error as LimitReached;
      const room = Math.min(limit.most - limit.used, decision.children.length - 1);
      decision = withDelegations(decision, room, `${message} Or do the task yourself.`, now());
    }
  }
}

/** Returns which model has given a step's reply. */
function answererOf({ loop, insteadOf, request, summary }: Step): AnsweredBy {
  const { model, maker } = loop.model.about(request.agent);
  return { model, maker, insteadOf: insteadOf[summary ? 'summaryModel' : 'model'] };
}
