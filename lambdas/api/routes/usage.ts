import * as z from 'zod';
import { countConnections } from '../../../core/people/live/connections';
import { Allowance, Cached, readAllowances } from '../../../core/people/views/allowance';
import type { App, Deployment } from '../deployment';
import { route } from '../route';
import { json } from '../shapes';

export const UserUsage = z.object({ usage: z.array(Allowance), cached: Cached }).openapi('UserUsage');

const read = route('getUsage', 'User', {
  method: 'get',
  path: '/usage',
  summary: 'What you have used of each limit: today, this month, and what you have at once',
  responses: { 200: json('One entry for each limit, and what the caches of models saved this month', UserUsage) },
});

export function usageRoutes(app: App, deployment: Deployment): void {
  app.openapi(read, async (context) => {
    context.header('cache-control', 'no-store');
    return context.json(await usageOf(deployment, context.get('user'), new Date()), 200);
  });
}

export async function usageOf({ table, limits, live }: Deployment, user: string, now: Date) {
  const [{ usage, cached }, used] = await Promise.all([
    readAllowances(table, user, limits(), now),
    countConnections(live.table, user, now),
  ]);
  const connections = { per: 'now' as const, what: 'connections' as const, used, most: live.connectionsAtMost };
  return { usage: [...usage, connections], cached };
}
