import { Webhook } from 'standardwebhooks';
import * as z from 'zod';
import { readOutsideJson } from '../../../core/base/json/foreign-json';
import { NotFound } from '../../../core/base/text/errors';
import { replyIsOver } from '../../../core/conversations/replies/pending-reply';
import { addFields } from '../../../runtime/log';
import { BadRequest } from '../../problems';
import type { App, Deployment } from '../deployment';
import { route } from '../route';
import { body, json, problem } from '../shapes';
import { Delivered } from './webhooks';

const receive = route('deliverModelWebhook', 'Webhooks', {
  method: 'post',
  path: '/webhooks/models/{provider}',
  summary: 'Accepts a webhook of a model’s provider about a reply that it has made in the background',
  security: [],
  request: {
    params: z.object({
      provider: z.string().max(60).openapi({ description: 'The name of the provider, as in the code' }),
    }),
    body: body(z.unknown()),
  },
  responses: {
    202: json('Accepted. `taken` is false if nobody waits for the reply any more', Delivered),
    400: problem('The signature or the body is not as the Standard Webhooks specification says'),
    404: problem('There is no such provider, or no such reply yet'),
  },
});

/** The events of OpenAI after which a reply changes no more: https://developers.openai.com/api/docs/api-reference/webhook-events */
const Over = z.object({
  type: z.enum(['response.completed', 'response.failed', 'response.incomplete', 'response.cancelled']),
  data: z.object({ id: z.string().min(1).max(200) }),
});

export function modelWebhookRoutes(app: App, { table, providerWebhooks }: Deployment): void {
  app.openapi(receive, async (context) => {
    const { provider } = context.req.valid('param');
    const secret = await providerWebhooks?.get(provider)?.();
    if (!secret) throw new NotFound('No provider with a webhook has this name.');
    const text = await context.req.text();
    verify(secret, text, context.req.header());
    const event = Over.safeParse(readOutsideJson(text, 'body'));
    // The provider sends what it is subscribed to.
    if (!event.success) return context.json({ taken: false }, 202);
    const over = await replyIsOver(table, provider, event.data.data.id, new Date());
    if (over) addFields({ conversationId: over });
    return context.json({ taken: over !== undefined }, 202);
  });
}

/** @throws BadRequest if the text is not signed with the secret, or was signed more than five minutes ago. */
function verify(secret: string, text: string, headers: Record<string, string>): void {
  try {
    new Webhook(secret).verify(text, headers);
  } catch {
    throw new BadRequest([{ path: 'webhook-signature', message: 'does not fit the secret of the webhook' }]);
  }
}
