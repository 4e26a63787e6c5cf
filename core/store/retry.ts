import { WrongState } from '../errors';
import { checkOwner } from './conversation';
import type { Meta } from './rows';
import { enterNextSegment } from './segment';
import { changeConversation, type Table } from './table';

/**
 * Lets a run that failed or reached a limit go on where it stopped, in its next segment: stored steps and settled calls
 * stay as they are, the step or the call that failed is made again. Asked twice, it answers the same.
 *
 * @throws NotFound if the conversation is not this user's, WrongState if there is nothing to go on with.
 */
export function retryRun(table: Table, conversationId: string, user: string, now: Date): Promise<Meta> {
  return changeConversation<Meta>(table, conversationId, (meta) => {
    checkOwner(meta, user);
    const { run } = meta;
    if (run && meta.outbox === 'start') return { answer: meta };
    if (run?.status !== 'failed' && run?.status !== 'limited') {
      throw new WrongState(`Only a run that failed or reached a limit can be retried; this one is ${meta.status}.`);
    }
    const running = { ...meta, status: 'running' as const, updatedAt: now.toISOString() };
    const next = enterNextSegment(running, { ...run, status: 'running', reason: undefined, heldUntil: undefined }, now);
    return { meta: next, answer: { ...next, version: meta.version + 1 } };
  });
}
