import * as z from 'zod';
import { CallStatus, StandingApproval, StandingUse } from '../../base/state/schemas';
import { NotFound } from '../../base/text/errors';
import { readCall } from '../calls/call';
import type { StoredStanding } from '../rows/rows';
import type { Table } from '../store/table';
import { readStandings } from './standing';

/** A standing approval with what was done on its authority. */
export const StandingReport = StandingApproval.extend({
  uses: z.array(
    StandingUse.extend({
      /** The status of the call; absent if its conversation is deleted. One that failed or was cancelled counts no longer. */
      status: CallStatus.optional(),
    }),
  ),
});
export type StandingReport = z.infer<typeof StandingReport>;

const shownStanding = (standing: StoredStanding): StandingApproval => StandingApproval.parse(standing);

/** Returns a user's standing approvals, the newest first: also those that are over, for a while. */
export async function listStanding(table: Table, user: string): Promise<StandingApproval[]> {
  const all = await readStandings(table, user);
  return all.toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1)).map(shownStanding);
}

/**
 * Returns a standing approval and what became of each of its calls.
 *
 * @throws NotFound if the user has no such one.
 */
export async function reportStanding(table: Table, user: string, id: string): Promise<StandingReport> {
  const standing = (await readStandings(table, user)).find((one) => one.id === id);
  if (!standing) throw new NotFound(`You have no standing approval ${id}.`);
  const uses = await Promise.all(
    standing.uses.map(async (use) => {
      const call = await readCall(table, use.conversationId, use.callId).catch(() => undefined);
      return { ...use, ...(call && call.ttl === undefined && { status: call.status }) };
    }),
  );
  return { ...shownStanding(standing), uses };
}
