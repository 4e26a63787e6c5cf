import * as z from 'zod';
import { Message } from '../../core/base/state/schemas';
import { shownMessage } from '../../core/people/views/shown';
import type { ApiModule } from '../../lambdas/api/module';
import { route } from '../../lambdas/api/route';
import { body, inConversation, json, problem, Text } from '../../lambdas/api/shapes';
import { giveFeedback } from './give-feedback';

const GiveFeedback = z
  .strictObject({
    verdict: z.enum(['up', 'down']).optional().openapi({ description: 'Of a reply of an agent: whether it is good' }),
    reason: Text.max(1_000).optional().openapi({ description: 'Why. No model reads it' }),
    dataset: z.boolean().optional().openapi({ description: 'Whether it is to become a case of an eval' }),
  })
  .openapi('GiveFeedback', { examples: [{ verdict: 'down', reason: 'It named the wrong month.' }] });

const feedback = route('giveFeedback', 'Runs', {
  needs: 'member',
  method: 'put',
  path: '/conversations/{id}/messages/{seq}/feedback',
  summary:
    'Says what you think of a message. It replaces what you have said before; without any field, it takes it back',
  request: {
    params: inConversation.extend({
      seq: z.coerce.number().int().min(1).openapi({ description: 'The number of the message' }),
    }),
    body: body(GiveFeedback),
  },
  responses: {
    200: json('The message', Message),
    409: problem('The message is being written, or no agent has read it'),
  },
});

/** The route by which people say what they think of a message. */
export const inApi: ApiModule = {
  name: 'feedback',
  paths: [],
  routes(app, { table }) {
    app.openapi(feedback, async (context) => {
      const { id: conversationId, seq } = context.req.valid('param');
      const { dataset, ...given } = context.req.valid('json');
      const message = await giveFeedback(
        table,
        { conversationId, seq, by: context.get('caller') },
        { ...given, ...(dataset && { dataset }) },
        new Date(),
      );
      return context.json(shownMessage(message), 200);
    });
  },
};
