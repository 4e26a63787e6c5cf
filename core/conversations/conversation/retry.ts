import { carriedOutages } from '../../base/models/model-outage';
import { isActive } from '../../base/state/schemas';
import type { Counts } from '../../base/state/user-limits';
import { WrongState } from '../../base/text/errors';
import { checkEffect } from '../members/effects';
import type { Person } from '../members/role';
import type { Meta } from '../rows/meta';
import { enterNextSegment } from '../runs/segment';
import { changeConversation } from '../store/change-conversation';
import type { Table } from '../store/table';

/**
 * Continues a failed or limited run in its next segment. Stored steps and settled calls are kept; the step or the call that
 * failed is made again. A second request changes nothing.
 *
 * @throws NotFound, NotAllowed as `checkEffect` does.
 * @throws WrongState if the run has not failed and reached no limit.
 * @throws LimitReached if the user has too many active runs.
 */
export function retryRun(
  table: Table,
  conversationId: string,
  user: Person,
  now: Date,
  atMost?: Partial<Counts>,
): Promise<Meta> {
  const retry = (meta: Meta) => {
    const { run } = meta;
    checkEffect(meta, user, run?.heldUntil === undefined ? 'retry' : 'retryHeld');
    // An earlier request has moved it on, and it has done nothing since.
    if (run && isActive(run.status) && run.segmentEvents === 0) return { answer: meta };
    if (run?.status !== 'failed' && run?.status !== 'limited') {
      throw new WrongState(`Only a run that failed or reached a limit can be retried; this one is ${meta.status}.`, {
        kind: 'not-retriable',
      });
    }
    const next = enterNextSegment(
      { ...meta, updatedAt: now.toISOString() },
      {
        ...run,
        status: 'running',
        reason: undefined,
        failedStep: undefined,
        heldUntil: undefined,
        cutOff: undefined,
        misfits: undefined,
        outages: carriedOutages(run.outages, now),
      },
      now,
    );
    return { meta: next, answer: { ...next, version: meta.version + 1 } };
  };
  return changeConversation<Meta>(table, conversationId, retry, { atMost });
}
