import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { deliver } from '../../core/conversation/deliver';
import { verifyWebhook } from '../../core/state/webhook';
import { NotFound } from '../../core/text/errors';
import { BadRequest } from '../problems';
import type { App, Deployment } from './deployment';
import { body, json, notAsItShouldBe, problem } from './shapes';

const receive = createRoute({
  method: 'post',
  path: '/webhooks/{token}',
  summary: 'An outside system delivers what a tool asked it for; the address works once and is its own key',
  request: { params: z.object({ token: z.string().max(1_000) }), body: body(z.unknown()) },
  responses: {
    202: json('Taken', z.object({ taken: z.boolean() })),
    400: notAsItShouldBe,
    404: problem('There is no such address'),
    409: problem('It has been used, or its time is over'),
  },
});

export function webhookRoutes(app: App, { table, registry, actions, webhookKey }: Deployment): void {
  app.openapi(receive, async (context) => {
    // Without body and content type the validator makes up a `{}`, which would spend the address for nothing.
    if (!context.req.header('content-type'))
      throw new BadRequest([
        { path: 'body', message: 'is missing: send JSON, with the content type application/json' },
      ]);
    const claims = verifyWebhook(await webhookKey(), context.req.valid('param').token);
    if (!claims) throw new NotFound('There is no such webhook.');
    const { conversationId } = claims;
    const { meta, resumes, timer } = await deliver(
      table,
      registry.agents,
      claims,
      context.req.valid('json'),
      new Date(),
    ).catch((error: Error & { outcome?: unknown }) => {
      // What was delivered before is nothing for whoever comes second.
      if (error.name === 'AlreadyAnswered') error.outcome = undefined;
      throw error;
    });
    await actions.driveRun(meta);
    if (timer) await actions.driveTimer(timer);
    for (const one of resumes) await actions.resume(conversationId, one);
    return context.json({ taken: true }, 202);
  });
}
