import type { SegmentInput } from '../../base/state/loop-state';
import type { Usage } from '../../base/state/schemas';
import type { LimitReached } from '../../base/text/errors';
import type { Agent } from '../../conversations/agent/agent';
import type { Decision } from '../../conversations/decisions/decide';
import { withDelegations } from '../../conversations/decisions/delegations';
import type { Draft, Meta } from '../../conversations/rows/meta';
import { mostOfTransaction } from '../../conversations/rows/size';
import { type AnsweredBy, commitStep } from '../../conversations/runs/commit-step';
import type { Reservation } from '../../conversations/runs/spending';
import { TransactionTooLarge } from '../../conversations/store/table';
import type { Loop } from '../loop/advance';

interface Made {
  agent: Agent;
  decision: Decision;
  usage: Usage;
  answeredBy?: AnsweredBy;
  /** META after the step has begun. */
  meta: Meta;
  reservation?: Reservation;
}

/** A sub-agent has at least so many rows. */
const rowsOfChild = 4;
const noRoom = 'The reply has too many calls to begin this one, too. Delegate the task in your next reply.';

/** Commits a step with as many of its delegations as the limits of its run and its user allow, and as one transaction takes. The others fail. */
export async function commitWithRoom(
  { table, limits, now, traces }: Loop,
  at: SegmentInput,
  draft: Draft,
  { decision: made, meta, ...step }: Made,
): ReturnType<typeof commitStep> {
  const { subAgentsOfRun = Number.POSITIVE_INFINITY, counts: atMost } = limits;
  const asked = meta.run?.delegations ?? 0;
  const tooMany = `A run may ask for at most ${subAgentsOfRun} sub-agents, and this one had asked for ${asked} before. Do the task yourself.`;
  let decision = withDelegations(made, subAgentsOfRun - asked, tooMany, now());
  for (;;) {
    try {
      return await commitStep(table, at, draft, { ...step, decision, now: now(), atMost, traces });
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
