import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { listApprovals, WaitingApproval } from '../../core/views/approvals';
import type { App, Deployment } from './deployment';
import { json, named, problem, signedIn } from './shapes';

export const ApprovalPage = z
  .object({ approvals: z.array(named('WaitingApproval', WaitingApproval)), cursor: z.string().optional() })
  .openapi('ApprovalPage');

const list = createRoute({
  method: 'get',
  path: '/approvals',
  summary:
    'What waits for your decision or answer, as the owner or an approver, the newest last. A page may have few or none: go on while there is a cursor',
  security: signedIn,
  request: { query: z.object({ cursor: z.string().optional() }) },
  responses: { 200: json('A page of approvals and questions', ApprovalPage), 400: problem('The cursor is invalid') },
});

export function approvalRoutes(app: App, { table, registry }: Deployment): void {
  app.openapi(list, async (context) => {
    context.header('cache-control', 'no-store');
    const { cursor } = context.req.valid('query');
    return context.json(await listApprovals(table, registry, context.get('caller'), new Date(), cursor), 200);
  });
}
