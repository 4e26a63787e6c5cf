import { readStandIns } from '../../../core/conversations/approvals/absence';
import { decidersOf } from '../../../core/conversations/approvals/deciders';
import { countConnections, tooManyConnections } from '../../../core/people/live/connections';
import { protocolVersion, Ticket, ticketSeconds } from '../../../core/people/live/live';
import { issueTicket } from '../../../core/people/live/subscriptions';
import type { App, Deployment } from '../deployment';
import { route } from '../route';
import { json } from '../shapes';

const ticket = route('createLiveTicket', 'Live', {
  method: 'post',
  path: '/live/tickets',
  summary: 'Issues a single-use ticket for the live view’s WebSocket: connect to `<url>?ticket=<ticket>`',
  responses: { 201: json('The ticket', Ticket) },
});

export function liveRoutes(app: App, { live, table, registry }: Deployment): void {
  app.openapi(ticket, async (context) => {
    const user = context.get('user');
    // A browser cannot read why a handshake is refused.
    const used = await countConnections(live.table, user, new Date());
    if (used >= live.connectionsAtMost) throw tooManyConnections(used, live.connectionsAtMost);
    const standIns = await readStandIns(table, user, new Date());
    const deciders = decidersOf(context.get('caller'), registry, standIns);
    const { groups } = context.get('caller');
    const holder = { user, deciders, groups: [...groups], until: context.get('until') };
    const issued = await issueTicket(live.table, holder, new Date());
    context.header('cache-control', 'no-store');
    const answer = { url: live.url, ticket: issued, expiresInSeconds: ticketSeconds, version: protocolVersion };
    return context.json(answer, 201);
  });
}
