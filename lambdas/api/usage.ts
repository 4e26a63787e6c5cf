import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { countConnections } from '../../core/live/connections';
import { connectionLimit } from '../../core/state/user-limits';
import { Allowance, readAllowances } from '../../core/views/allowance';
import type { App, Deployment } from './deployment';
import { json, named, signedIn } from './shapes';

const Usage = z.object({ usage: z.array(named('Allowance', Allowance)) }).openapi('UserUsage');

const read = createRoute({
  method: 'get',
  path: '/usage',
  summary: 'What you have used of each limit: today, this month, and what you have at once',
  security: signedIn,
  responses: { 200: json('One entry for each limit', Usage) },
});

export function usageRoutes(app: App, { table, limits, live }: Deployment): void {
  app.openapi(read, async (context) => {
    context.header('cache-control', 'no-store');
    const user = context.get('user');
    const now = new Date();
    const [usage, used] = await Promise.all([
      readAllowances(table, user, limits(), now),
      countConnections(live.table, user, now),
    ]);
    const { variable } = connectionLimit;
    const connections = { per: 'now' as const, what: 'connections' as const, used, most: live.connectionsAtMost };
    return context.json({ usage: [...usage, { ...connections, variable }] }, 200);
  });
}
