import { loggedLines } from '../../test/support/logged';
import { type PushService, startPushService } from '../../test/support/servers/push-service';
import type { Notification } from './notification';
import { pushTo } from './push';
import { pushKeysOf } from './push-keys';
import type { Device } from './reach';

let service: PushService;
beforeAll(async () => {
  service = await startPushService();
});
afterAll(() => service.stop());
loggedLines();

const keys = pushKeysOf('a secret');
const contact = 'mailto:operator@example.com';
const notification: Notification = {
  id: 'c/CALLBACK#1',
  kind: 'approval',
  conversationId: 'c',
  callbackId: '1',
  title: 'Überweisung',
  body: 'Pay 5 €?',
  path: '/#/c/c',
};
const deviceOf = ({
  endpoint,
  keys: { p256dh, auth },
}: ReturnType<PushService['subscribe']>['subscription']): Device => ({
  id: 'd',
  endpoint,
  p256dh,
  auth,
  addedAt: '2026-03-01T08:00:00Z',
  grant: { token: 't', until: 0 },
});
const send = (device: Device, more: object = {}) =>
  pushTo(device, notification, { keys, contact, trusted: [service.url], ...more });

test('the browser can decrypt a notification, the service between cannot read it, and knows who sent it (R154)', async () => {
  const browser = service.subscribe(keys.publicKey);
  expect(await send(deviceOf(browser.subscription))).toBe('taken');
  const [{ notification: received, claims, ttl, encrypted }] = browser.received as [(typeof browser.received)[0]];
  expect(received).toEqual(notification);
  expect(claims).toMatchObject({ aud: service.url, sub: contact });
  expect(claims.exp).toBeLessThanOrEqual(Date.now() / 1_000 + 86_400);
  expect(ttl).toBe(86_400);
  expect(encrypted.toString('latin1')).not.toMatch(/Pay|approval|title/);
});

test('a subscription of another deployment’s key is refused for good (R154)', async () => {
  const browser = service.subscribe(pushKeysOf('another secret').publicKey);
  expect(await send(deviceOf(browser.subscription))).toBe('refused');
  expect(browser.received).toEqual([]);
});

test.each([
  [404, 'gone'],
  [410, 'gone'],
  [400, 'refused'],
  [413, 'refused'],
  [302, 'refused'],
  [429, 'failed'],
  [500, 'failed'],
  [503, 'failed'],
] as const)('a push service that answers %i: %s (R154)', async (status, delivery) => {
  const browser = service.subscribe(keys.publicKey);
  service.failNext(status);
  expect(await send(deviceOf(browser.subscription))).toBe(delivery);
});

describe('what a push service says beside its status (R189, R198)', () => {
  afterEach(() => service.answerWith({}));
  const answered = async (status: number, headers: Record<string, string>, body?: string | Buffer) => {
    const browser = service.subscribe(keys.publicKey);
    service.failNext(status);
    service.answerWith(headers, body);
    return send(deviceOf(browser.subscription));
  };

  test.each([429, 503])('%i with Retry-After: not before then', async (status) => {
    const { notBefore } = (await answered(status, { 'retry-after': '120' })) as { notBefore: Date };
    expect(notBefore.getTime() - Date.now()).toBeGreaterThan(110_000);
    expect(notBefore.getTime() - Date.now()).toBeLessThanOrEqual(120_000);
  });

  test.each(['-1', 'soon', '', '1e9', 'NaN', '0x10'])('Retry-After: %j says nothing', async (value) => {
    expect(await answered(503, { 'retry-after': value })).toBe('failed');
  });

  test('a refusal is final, a page of HTML and megabytes are not read', async () => {
    expect(await answered(400, { 'retry-after': '120' })).toBe('refused');
    expect(await answered(410, { 'content-type': 'text/html' }, '<html>Gone</html>')).toBe('gone');
    expect(await answered(500, {}, Buffer.alloc(20_000_000))).toBe('failed');
    expect(await answered(200, { 'content-type': 'application/json' }, '{"error":')).toBe('taken');
  });
});

test('a service that does not answer, or is not there, is asked again later (R154)', async () => {
  const browser = service.subscribe(keys.publicKey);
  const held = service.holdNext();
  const sending = send(deviceOf(browser.subscription), { timeoutMs: 2_000 });
  // On a busy machine the time may be over before the request arrives.
  await Promise.race([held, sending]);
  expect(await sending).toBe('failed');
  service.release();
  const nowhere = { ...deviceOf(browser.subscription), endpoint: 'http://127.0.0.1:1/push' };
  expect(await send(nowhere, { trusted: ['http://127.0.0.1:1'] })).toBe('failed');
});

test('keys that no browser has are refused, and nothing is sent (R154)', async () => {
  const device = { ...deviceOf(service.subscribe(keys.publicKey).subscription), p256dh: 'AA' };
  const before = service.requests;
  expect(await send(device)).toBe('refused');
  expect(service.requests).toBe(before);
});

describe('an endpoint is a client’s choice (R154, R123)', () => {
  const device = { ...deviceOf({ endpoint: '', keys: { p256dh: '', auth: '' } }) };
  const dialled: string[] = [];
  const network = {
    resolve: async (hostname: string) => [
      { address: hostname === 'rebound.example' ? '169.254.169.254' : '10.0.0.1', family: 4 },
    ],
    connect: (options: { host?: string }) => {
      dialled.push(String(options.host));
      throw new Error('Nothing is dialled.');
    },
  };

  test.each([
    'http://push.example.com/1',
    'https://127.0.0.1/1',
    'https://rebound.example/1',
    'https://inside.example/1',
    'nothing',
  ])('%s is not connected to', async (endpoint) => {
    const { subscription } = service.subscribe(keys.publicKey);
    const { p256dh, auth } = subscription.keys;
    expect(await send({ ...device, p256dh, auth, endpoint }, { network: network as never })).toBe('refused');
    expect(dialled).toEqual([]);
  });
});
