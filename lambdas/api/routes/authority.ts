import * as z from 'zod';
import { Member, StandingApproval } from '../../../core/base/state/schemas';
import { endAuthority, readAuthority } from '../../../core/people/views/authority';
import { signedInNow } from '../caller';
import type { App, Deployment } from '../deployment';
import { route } from '../route';
import { Cursor, json } from '../shapes';
import { Absences } from './absence';
import { Link, shownLink } from './members';

const SharedConversation = z
  .object({ conversationId: z.string(), title: z.string(), members: z.array(Member), links: z.array(Link) })
  .openapi('SharedConversation');

const Authority = z
  .object({
    ...Absences.shape,
    approvals: z.array(StandingApproval).openapi({ description: 'The standing approvals that are not over' }),
    ignored: z
      .array(z.string())
      .openapi({ description: 'Of whom and what you do not want to hear: `user:<id>`, `conversation:<id>`' }),
    shared: z
      .array(SharedConversation)
      .openapi({ description: 'Your conversations that others are in, or have a link to' }),
    cursor: z
      .string()
      .optional()
      .openapi({ description: 'There are more conversations: the next page has `shared` alone' }),
  })
  .openapi('Authority', { description: 'Who may do what for you' });

const query = z.object({ cursor: Cursor });

const read = route('getAuthority', 'User', {
  method: 'get',
  path: '/authority',
  summary:
    'Who may do what for you without a token of yours: who decides in your place, standing approvals, and who is in your conversations',
  request: { query },
  responses: { 200: json('What was granted and has not ended', Authority) },
});

const end = route('endAuthority', 'User', {
  method: 'delete',
  path: '/authority',
  summary:
    'Ends all of it, and what else works without a token of yours. Repeat it with the `cursor` of its answer until there is none: each time, a page of your conversations is done',
  request: { query },
  responses: { 200: json('Ended', z.object({ cursor: z.string().optional() }).openapi('EndedAuthority')) },
});

export function authorityRoutes(app: App, { table, modules }: Deployment): void {
  const ofModules = modules.flatMap(({ endGrants }) => endGrants ?? []);

  app.openapi(read, async (context) => {
    context.header('cache-control', 'no-store');
    const { shared, ...rest } = await readAuthority(
      table,
      context.get('user'),
      new Date(),
      context.req.valid('query').cursor,
    );
    const conversations = shared.map(({ links, ...one }) => ({ ...one, links: links.map(shownLink) }));
    return context.json({ ...rest, shared: conversations }, 200);
  });

  app.openapi(end, async (context) => {
    const by = signedInNow(context.get('caller'));
    const cursor = await endAuthority(table, context.get('user'), by, ofModules, context.req.valid('query').cursor);
    return context.json({ ...(cursor !== undefined && { cursor }) }, 200);
  });
}
