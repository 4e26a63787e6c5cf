import * as z from 'zod';
import { type Counts, countLimits, variableOfSpending } from '../../base/state/user-limits';
import type { DeploymentLimits, Spending } from '../../conversations/agent/limits';
import { readSpending } from '../../conversations/runs/spending';
import { readCounts } from '../../conversations/store/counts';
import type { Table } from '../../conversations/store/table';

/** A user's use of one limit, and the variable that sets the limit, if there is one. */
export const Allowance = z.object({
  /** `now`: what the user has at once. Days and months are UTC. */
  per: z.enum(['day', 'month', 'now']),
  what: z.enum([
    ...(['steps', 'tokens', 'costMicrodollars'] as const),
    ...(['runs', 'subAgents', 'conversations', 'timers', 'connections'] as const),
  ]),
  /** The amount used. What active runs have reserved for their next steps is included. */
  used: z.number().int(),
  /** Absent if the deployment has no such limit. */
  most: z.number().int().optional(),
  /** Absent if no variable sets the limit. */
  variable: z.string().optional(),
  /** Calls of models without a price, for the month’s cost: they count at the dearest known price. */
  unpricedCalls: z.number().int().optional(),
});
export type Allowance = z.infer<typeof Allowance>;

/** What the caches of models did for a user in this month (UTC). */
export const Cached = z.object({
  /** Input that was read from a cache. */
  inputTokens: z.number().int(),
  /** What that has saved, after the writes: negative if they cost more. In millionths of a dollar. */
  savedMicrodollars: z.number().int(),
});

/** Returns what a user has used of each limit, and what the caches of models did for them. */
export async function readAllowances(
  table: Table,
  user: string,
  limits: DeploymentLimits,
  now: Date,
): Promise<{ usage: Allowance[]; cached: z.infer<typeof Cached> }> {
  const [spent, counts] = await Promise.all([readSpending(table, user, now), readCounts(table, user)]);
  const unpriced = spent.unpricedCalls > 0 ? { unpricedCalls: spent.unpricedCalls } : {};
  const spending = (['day', 'month'] as const).flatMap((per) =>
    (Object.entries(spent[per]) as [keyof Spending, number][]).map(([what, used]) => ({
      per,
      what,
      used,
      most: limits[per]?.[what],
      variable: variableOfSpending(per, what),
      ...(per === 'month' && what === 'costMicrodollars' && unpriced),
    })),
  );
  const had = (Object.entries(counts) as [keyof Counts, number][]).map(([what, used]) => ({
    per: 'now' as const,
    what,
    used,
    most: limits.counts?.[what],
    variable: countLimits[what].variable,
  }));
  return { usage: [...spending, ...had], cached: spent.cached };
}
