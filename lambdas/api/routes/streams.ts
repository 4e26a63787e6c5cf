import { longestPosition } from 'vigil-client/shared';
import * as z from 'zod';
import { dialects, streamAnswer } from '../../../core/people/streams/answer';
import type { App, Deployment } from '../deployment';
import { route } from '../route';
import { inConversation } from '../shapes';

/** API Gateway ends a request after 30 seconds. */
const waitsAtMost = 20;

const stream = route('streamConversation', 'Live', {
  needs: 'watcher',
  method: 'get',
  path: '/conversations/{id}/stream',
  summary:
    'What happens in a conversation, as server-sent events. An answer is as short as the first news: ask again with its last id',
  request: {
    params: inConversation,
    headers: z.object({
      'last-event-id': z.string().max(longestPosition).optional().openapi({
        description: 'The id of the last event that you have. The answer begins after it',
      }),
    }),
    query: z.object({
      as: z.enum(dialects).default('rows').openapi({
        description:
          '`rows`: as the live view. `ai-sdk`: chunks of an AI SDK UI message stream. `ag-ui`: events of AG-UI',
      }),
      after: z.coerce.number().int().min(0).optional().openapi({
        type: 'integer',
        description:
          'Without an id: begin after this `seq`. By default, `rows` begin with the first one, the others after the last message of a person',
      }),
      wait: z.coerce.number().int().min(0).max(waitsAtMost).default(waitsAtMost).openapi({
        type: 'integer',
        description: 'How many seconds the answer may wait for news while the run works',
      }),
    }),
  },
  responses: {
    200: {
      description: 'Events, in the media type text/event-stream. Without any, nothing has happened so far',
      content: { 'text/event-stream': { schema: z.string() } },
    },
    204: { description: 'Nothing is new, and nothing follows until somebody writes. EventSource stops' },
  },
});

export function streamRoutes(app: App, { table }: Deployment): void {
  app.openapi(stream, async (context) => {
    const { id: conversationId } = context.req.valid('param');
    const { as, after, wait: waitSeconds } = context.req.valid('query');
    const { 'last-event-id': position } = context.req.valid('header');
    const user = context.get('caller');
    const body = await streamAnswer(table, {
      conversationId,
      user,
      as,
      after,
      waitSeconds,
      position: position || undefined,
    });
    context.header('cache-control', 'no-store');
    if (body === undefined) return context.body(null, 204);
    if (as === 'ai-sdk') context.header('x-vercel-ai-ui-message-stream', 'v1');
    return context.body(body, 200, { 'content-type': 'text/event-stream' });
  });
}
