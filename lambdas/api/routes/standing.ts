import * as z from 'zod';
import { StandingApproval } from '../../../core/base/state/schemas';
import { revokeStanding } from '../../../core/conversations/approvals/standing';
import { listStanding, reportStanding, StandingReport } from '../../../core/conversations/approvals/standing-report';
import type { App, Deployment } from '../deployment';
import { route } from '../route';
import { json, PartId, problem } from '../shapes';

const StandingApprovals = z.object({ approvals: z.array(StandingApproval) }).openapi('StandingApprovals');
const params = z.object({ standingId: PartId.openapi({ description: 'The id of the standing approval' }) });
const none = problem('You have no such standing approval');

const list = route('listStandingApprovals', 'Approvals', {
  method: 'get',
  path: '/standing-approvals',
  summary: 'What you have allowed agents to do without asking, the newest first. Those that are over stay for 90 days',
  responses: { 200: json('All standing approvals', StandingApprovals) },
});

const report = route('getStandingApproval', 'Approvals', {
  method: 'get',
  path: '/standing-approvals/{standingId}',
  summary: 'A standing approval, and each call that was made on its authority',
  request: { params },
  responses: { 200: json('The standing approval', StandingReport), 404: none },
});

const revoke = route('revokeStandingApproval', 'Approvals', {
  method: 'delete',
  path: '/standing-approvals/{standingId}',
  summary: 'Revokes a standing approval. Later calls are asked about again',
  request: { params },
  responses: { 204: { description: 'Revoked' }, 404: none },
});

export function standingRoutes(app: App, { table }: Deployment): void {
  app.openapi(list, async (context) => {
    context.header('cache-control', 'no-store');
    return context.json({ approvals: await listStanding(table, context.get('user')) }, 200);
  });

  app.openapi(report, async (context) => {
    context.header('cache-control', 'no-store');
    const { standingId } = context.req.valid('param');
    return context.json(await reportStanding(table, context.get('user'), standingId), 200);
  });

  app.openapi(revoke, async (context) => {
    await revokeStanding(table, context.get('user'), context.req.valid('param').standingId, new Date());
    return context.body(null, 204);
  });
}
