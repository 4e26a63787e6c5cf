import * as z from 'zod';
import { listInvitations } from '../../../core/conversations/members/invitations';
import { listApprovals } from '../../../core/people/views/approvals';
import { listConversations, listOpenConversations, listShared } from '../../../core/people/views/list';
import { listTimers } from '../../../core/people/views/timers';
import type { App, Deployment } from '../deployment';
import { isDeveloper } from '../developers';
import { route } from '../route';
import { json } from '../shapes';
import { ApprovalPage } from './approvals';
import { ConversationPage } from './conversations';
import { Invitation } from './members';
import { TimerPage } from './timers';
import { UserUsage, usageOf } from './usage';

const HomePage = z
  .object({
    conversations: ConversationPage,
    shared: ConversationPage,
    active: ConversationPage,
    failed: ConversationPage,
    approvals: ApprovalPage,
    timers: TimerPage,
    invitations: z.array(Invitation),
    usage: UserUsage.shape.usage,
    isDeveloper: z.boolean().openapi({ description: 'Whether you are a member of VIGIL_DEVELOPERS_GROUP' }),
  })
  .openapi('HomePage');

const read = route('getHome', 'User', {
  method: 'get',
  path: '/home',
  summary:
    'What a page shows first, in one request: the first pages of /conversations (also with state=shared, active and failed), /approvals and /timers, /invitations and /usage; whether you are a developer',
  responses: { 200: json('First pages, each with the cursor of the next one', HomePage) },
});

export function homeRoutes(app: App, deployment: Deployment): void {
  const { table, registry } = deployment;
  app.openapi(read, async (context) => {
    context.header('cache-control', 'no-store');
    const user = context.get('user');
    const now = new Date();
    const [conversations, shared, active, failed, approvals, timers, invitations, { usage }] = await Promise.all([
      listConversations(table, user),
      listShared(table, context.get('caller')),
      listOpenConversations(table, user, 'active'),
      listOpenConversations(table, user, 'failed'),
      listApprovals(table, registry, context.get('caller'), now),
      listTimers(table, user),
      listInvitations(table, user),
      usageOf(deployment, user, now),
    ]);
    const isOne = isDeveloper(deployment.developers, context.get('caller'));
    return context.json(
      { conversations, shared, active, failed, approvals, timers, invitations, usage, isDeveloper: isOne },
      200,
    );
  });
}
