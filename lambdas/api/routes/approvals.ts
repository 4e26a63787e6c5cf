import * as z from 'zod';
import { listApprovals, WaitingApproval } from '../../../core/people/views/approvals';
import type { App, Deployment } from '../deployment';
import { route } from '../route';
import { Cursor, json } from '../shapes';

export const ApprovalPage = z
  .object({ approvals: z.array(WaitingApproval), cursor: z.string().optional() })
  .openapi('ApprovalPage');

const list = route('listApprovals', 'Approvals', {
  method: 'get',
  path: '/approvals',
  summary:
    'What waits for your decision or answer, as the owner or an approver, the newest last. A page may have few or none: go on while there is a cursor',
  request: { query: z.object({ cursor: Cursor }) },
  responses: { 200: json('A page of approvals and questions', ApprovalPage) },
});

export function approvalRoutes(app: App, { table, registry }: Deployment): void {
  app.openapi(list, async (context) => {
    context.header('cache-control', 'no-store');
    const { cursor } = context.req.valid('query');
    return context.json(await listApprovals(table, registry, context.get('caller'), new Date(), cursor), 200);
  });
}
