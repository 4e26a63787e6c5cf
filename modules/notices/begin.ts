import { createHash } from 'node:crypto';
import { type SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import type { Table } from '../../core/conversations/store/table';
import { log } from '../../runtime/log';
import type { Notice } from './notice';
import { isReachable, reachFor, readReach } from './reach';

/** A notice, and the sequence number of its change in the stream. */
export interface NewNotice {
  sequenceNumber: string;
  notice: Notice;
}

/** Errors that a retry cannot fix. Retrying would block all later changes, pages included. */
const forGood = new Set(['AccessDeniedException', 'StateMachineDoesNotExist', 'InvalidArn', 'ValidationException']);

/**
 * Starts the execution that delivers a notice, if its user has a device or wants e-mail. Its name derives from the notice, so a
 * repeated change starts no other one.
 *
 * @returns the sequence numbers of notices that have not begun, which the stream must deliver again.
 */
export async function beginNotices(
  client: SFNClient,
  table: Table,
  stateMachineArn: string,
  notices: readonly NewNotice[],
): Promise<string[]> {
  const open = await Promise.all(
    notices.map(async ({ sequenceNumber, notice }) => {
      try {
        if (!isReachable(reachFor(await readReach(table, notice.user, new Date()), notice))) return [];
        const name = createHash('sha256').update(notice.id).digest('hex');
        await client.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(notice) }));
        return [];
      } catch (error) {
        const { name } = error as Error;
        if (name === 'ExecutionAlreadyExists') return [];
        log.error('a notice was not begun', { id: notice.id, error: name });
        return forGood.has(name) ? [] : [sequenceNumber];
      }
    }),
  );
  return open.flat();
}
