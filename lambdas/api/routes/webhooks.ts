import * as z from 'zod';
import { readOutsideJson } from '../../../core/base/json/foreign-json';
import { verifyWebhook } from '../../../core/base/state/webhook';
import { NotFound } from '../../../core/base/text/errors';
import { deliver } from '../../../core/conversations/conversation/deliver';
import { BadRequest } from '../../problems';
import { carryOut } from '../carry-out';
import type { App, Deployment } from '../deployment';
import { route } from '../route';
import { body, json, problem } from '../shapes';

/** `taken`: whether somebody waits for it. */
export const Delivered = z.object({ taken: z.boolean() }).openapi('Delivered');

const receive = route('deliverToWebhook', 'Webhooks', {
  method: 'post',
  path: '/webhooks/{token}',
  summary: 'Accepts the delivery of an outside system. The address is signed and works once',
  security: [],
  request: {
    params: z.object({ token: z.string().max(1_000).openapi({ description: 'The end of the address' }) }),
    body: body(z.unknown()),
  },
  responses: {
    202: json('Accepted', Delivered),
    404: problem('There is no such address'),
    409: problem('The address has been used or has expired'),
  },
});

export function webhookRoutes(app: App, { table, registry, actions, webhookKey }: Deployment): void {
  app.openapi(receive, async (context) => {
    // Without a body and a content type, the validator would pass `{}` and use up the address.
    if (!context.req.header('content-type'))
      throw new BadRequest([{ path: 'body', message: 'is missing: send JSON with the content type application/json' }]);
    const claims = verifyWebhook(await webhookKey(), context.req.valid('param').token);
    if (!claims) throw new NotFound('There is no such webhook.');
    const { conversationId } = claims;
    const { timer, ...delivered } = await deliver(
      table,
      registry,
      claims,
      readOutsideJson(await context.req.text(), 'body'),
      new Date(),
    ).catch((error: Error & { outcome?: unknown }) => {
      // A second sender must not see the first delivery.
      if (error.name === 'AlreadyAnswered') error.outcome = undefined;
      throw error;
    });
    await carryOut(actions, conversationId, delivered);
    if (timer) await actions.driveTimer(timer);
    return context.json({ taken: true }, 202);
  });
}
