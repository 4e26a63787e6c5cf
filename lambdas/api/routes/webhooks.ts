import { gunzipSync } from 'node:zlib';
import * as z from 'zod';
import { readOutsideJson } from '../../../core/base/json/foreign-json';
import { verifyWebhook } from '../../../core/base/state/webhook';
import { NotFound } from '../../../core/base/text/errors';
import { deliver } from '../../../core/conversations/conversation/deliver';
import { BadRequest } from '../../problems';
import type { App, Deployment } from '../deployment';
import { route } from '../route';
import { json, problem } from '../shapes';
import { logSubject } from '../subject';

/** `taken`: whether somebody waits for it. */
export const Delivered = z.object({ taken: z.boolean() }).openapi('Delivered');

const receive = route('deliverToWebhook', 'Webhooks', {
  method: 'post',
  path: '/webhooks/{token}',
  summary: 'Accepts the delivery of an outside system. The address is signed and works once',
  security: [],
  request: {
    params: z.object({ token: z.string().max(1_000).openapi({ description: 'The end of the address' }) }),
    // Read by its bytes: senders announce JSON as text, or as nothing.
    body: { required: true, content: { '*/*': { schema: z.unknown().openapi({ description: 'JSON' }) } } },
  },
  responses: {
    202: json('Accepted', Delivered),
    404: problem('There is no such address'),
    409: problem('The address has been used or has expired'),
  },
});

/** As much as a function takes. */
const mostBytes = 6_000_000;

/**
 * Returns the text of a delivery, whatever type it was announced as: Amazon SNS sends JSON as `text/plain`, others compress it.
 *
 * @throws BadRequest if it is empty, or is not what it begins like.
 */
function deliveredText(bytes: Buffer): string {
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  try {
    const text = (isCompressed ? gunzipSync(bytes, { maxOutputLength: mostBytes }) : bytes).toString('utf8');
    if (text.trim()) return text.replace(/^\ufeff/, '');
  } catch {
    throw new BadRequest([{ path: 'body', message: 'cannot be decompressed: send JSON, or JSON in gzip' }]);
  }
  throw new BadRequest([{ path: 'body', message: 'is missing: send JSON' }]);
}

export function webhookRoutes(app: App, { table, registry, webhookKey }: Deployment): void {
  app.openapi(receive, async (context) => {
    const text = deliveredText(Buffer.from(await context.req.arrayBuffer()));
    const claims = verifyWebhook(await webhookKey(), context.req.valid('param').token);
    if (!claims) throw new NotFound('There is no such webhook.');
    const delivered = await deliver(table, registry, claims, readOutsideJson(text, 'body'), new Date()).catch(
      (error: Error & { outcome?: unknown }) => {
        // A second sender must not see the first delivery.
        if (error.name === 'AlreadyAnswered') error.outcome = undefined;
        throw error;
      },
    );
    logSubject(delivered);
    return context.json({ taken: true }, 202);
  });
}
