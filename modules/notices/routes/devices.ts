import * as z from 'zod';
import { Locale } from '../../../core/base/time/time-zone';
import { endGrants } from '../../../core/conversations/approvals/grants-ended';
import type { Table } from '../../../core/conversations/store/table';
import { signedInNow } from '../../../lambdas/api/caller';
import type { App } from '../../../lambdas/api/deployment';
import { route } from '../../../lambdas/api/route';
import { body, json, PartId } from '../../../lambdas/api/shapes';
import { BadRequest } from '../../../lambdas/problems';
import { pushRefusal } from '../push-address';
import { addDevice, type Device, deviceIdOf, endReach, readReach, removeDevice } from '../reach';

const Base64Url = z.string().regex(/^[A-Za-z0-9_-]+={0,2}$/, 'use base64url');

/** A subscription, as `PushSubscription.toJSON()` gives it. */
const Subscription = z
  .object({
    endpoint: z.string().max(2_000),
    keys: z
      .object({
        p256dh: Base64Url.refine((key) => isPoint(Buffer.from(key, 'base64url')), 'must be an uncompressed P-256 key'),
        auth: Base64Url.refine((secret) => Buffer.from(secret, 'base64url').length === 16, 'must have 16 bytes'),
      })
      .openapi('SubscriptionKeys'),
    name: z.string().trim().min(1).max(80).optional().openapi({ description: 'What you call the device' }),
    language: Locale.shape.language.describe(
      'The language of its notifications, as a BCP 47 tag. Without it, that of your settings',
    ),
  })
  .openapi('Subscription');

const ShownDevice = z
  .object({
    id: z.string(),
    name: z.string().optional(),
    addedAt: z.iso.datetime(),
    until: z.iso.datetime().openapi({ description: 'When its notifications end, unless it is registered again' }),
    isConfirmed: z.boolean().openapi({
      description: 'Whether a second token of the sign-in has registered it. If not, it ends with the first one',
    }),
  })
  .openapi('Device');

const Devices = z
  .object({ publicKey: z.string(), devices: z.array(ShownDevice) })
  .openapi('Devices', { description: '`publicKey` is the `applicationServerKey` to subscribe with' });

const list = route('listDevices', 'Notifications', {
  method: 'get',
  path: '/devices',
  summary: 'The browsers that get your notifications, and the key to subscribe with',
  responses: { 200: json('All devices', Devices) },
});

const register = route('registerDevice', 'Notifications', {
  method: 'put',
  path: '/devices',
  summary:
    'Sends your notifications to a browser’s push subscription, too, until the token ends. Repeat it with another token of ' +
    'the sign-in to confirm it, and then each time that your app opens. Your other devices are told of a new one',
  request: { body: body(Subscription) },
  responses: { 200: json('The device', ShownDevice) },
});

const remove = route('removeDevice', 'Notifications', {
  method: 'delete',
  path: '/devices/{deviceId}',
  summary: 'Sends a browser no more notifications. It and your other devices are told',
  request: { params: z.object({ deviceId: PartId.openapi({ description: 'The id of the device' }) }) },
  responses: { 204: { description: 'It is none of your devices' } },
});

const end = route('endDevices', 'Notifications', {
  method: 'delete',
  path: '/devices',
  summary:
    'Ends all that works without a token: every device, words in notifications and e-mail. Tokens issued until now cannot ' +
    'grant it again. For when you sign out everywhere',
  responses: { 204: { description: 'You have no devices' } },
});

const shownDevice = ({ id, name, addedAt, grant: { until, confirmed } }: Device) => ({
  id,
  name,
  addedAt,
  until: new Date(until * 1_000).toISOString(),
  isConfirmed: confirmed === true,
});

/** @param pushKey returns the public key with which browsers subscribe. */
export function deviceRoutes(app: App, table: Table, pushKey: () => Promise<string>): void {
  app.openapi(list, async (context) => {
    const { devices } = await readReach(table, context.get('user'), new Date());
    return context.json({ publicKey: await pushKey(), devices: devices.map(shownDevice) }, 200);
  });

  app.openapi(register, async (context) => {
    const { endpoint, keys, name, language } = context.req.valid('json');
    const refusal = pushRefusal(endpoint);
    if (refusal) throw new BadRequest([{ path: 'endpoint', message: refusal }]);
    const by = signedInNow(context.get('caller'));
    const addedAt = by.now.toISOString();
    const device = { id: deviceIdOf(endpoint), name, language, addedAt, endpoint, ...keys };
    return context.json(shownDevice(await addDevice(table, context.get('user'), device, by)), 200);
  });

  app.openapi(remove, async (context) => {
    const { deviceId } = context.req.valid('param');
    await removeDevice(table, context.get('user'), deviceId, signedInNow(context.get('caller')));
    return context.body(null, 204);
  });

  app.openapi(end, async (context) => {
    const by = signedInNow(context.get('caller'));
    await endGrants(table, context.get('user'), by.now);
    await endReach(table, context.get('user'), by);
    return context.body(null, 204);
  });
}

/** Whether the bytes are a point in uncompressed form. Whether it is on the curve, the encryption finds out. */
const isPoint = (bytes: Buffer): boolean => bytes.length === 65 && bytes[0] === 4;
