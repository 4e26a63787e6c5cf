import * as z from 'zod';
import { ConversationSummary } from '../../../core/base/state/schemas';
import { arrangeConversation } from '../../../core/people/finding/arrange';
import { findMessages } from '../../../core/people/finding/find';
import { Found } from '../../../core/people/finding/search';
import { readVersions } from '../../../core/people/views/branches';
import { shownSummary } from '../../../core/people/views/shown';
import { log } from '../../../runtime/log';
import type { App, Deployment } from '../deployment';
import * as example from '../examples';
import { route } from '../route';
import { body, Cursor, inConversation, json } from '../shapes';

const Arrange = z
  .strictObject({
    title: z.string().max(1_000).optional().openapi({
      description: 'At most 100 characters. It becomes one line, and hidden characters are left out',
    }),
    pinned: z.boolean().optional().openapi({ description: 'Whether it is at the top of the list' }),
    archived: z.boolean().optional().openapi({
      description: 'Whether it is in the archive only. The next message in it, also a reminder’s, brings it back',
    }),
  })
  .openapi('ArrangeConversation', { examples: [example.arrange] });

const FoundPage = z.object({ found: z.array(Found), cursor: z.string().optional() }).openapi('FoundPage');

const arrange = route('arrangeConversation', 'Conversations', {
  needs: 'owner',
  method: 'patch',
  path: '/conversations/{id}',
  summary: 'Renames a conversation, or pins or archives it with its forks, or takes that back. Runs and timers go on',
  request: { params: inConversation, body: body(Arrange) },
  responses: {
    200: json('The conversation as the list shows it', ConversationSummary),
  },
});

const search = route('searchMessages', 'Conversations', {
  method: 'get',
  path: '/search',
  summary:
    'Messages of your conversations that have all words of `q`, in the order of the list: pinned conversations, others, archived ones, those that ' +
    'others share with you. Then, with the first page, those whose meaning is near to `q`, if the deployment embeds messages',
  request: {
    query: z.object({
      q: z.string().openapi({ description: 'Of 2 to 200 characters, at most 10 words. Case does not matter' }),
      cursor: Cursor,
    }),
  },
  responses: {
    200: json('A page of messages. It may have few or none: go on while there is a cursor', FoundPage),
  },
});

export function findingRoutes(app: App, { table, placesOf }: Deployment): void {
  app.openapi(arrange, async (context) => {
    const { id } = context.req.valid('param');
    const user = context.get('user');
    const { title, ...kept } = context.req.valid('json');
    // The list shows the versions of a conversation as one.
    const versions = Object.keys(kept).length > 0 ? await readVersions(table, id, user) : [id];
    for (const one of versions.slice(0, -1)) await arrangeConversation(table, one, context.get('caller'), kept);
    const meta = await arrangeConversation(table, id, context.get('caller'), { title, ...kept });
    return context.json(shownSummary(meta), 200);
  });

  const failed = ({ name }: Error) => log.warn('found by words only', { error: name });
  const finder = { table, placesOf, failed };

  app.openapi(search, async (context) => {
    const { q, cursor } = context.req.valid('query');
    return context.json(await findMessages(finder, context.get('caller'), q, cursor), 200);
  });
}
