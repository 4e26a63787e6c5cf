import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen } from '../../../local/model-server/listen';
import type { Notification } from '../../../modules/notices/notification';

/**
 * A push service with the browsers that subscribe to it. It checks each request as a push service does (RFC 8030, RFC 8292), and
 * decrypts it as a browser does (RFC 8291, RFC 8188). What fits neither is answered with 400 or 403, and is in no list.
 */
export interface PushService {
  url: string;
  /** Subscribes a browser with the deployment's public key. */
  subscribe(publicKey: string): Browser;
  /** Answers the next requests with these statuses, and passes nothing on. */
  failNext(...statuses: number[]): void;
  /** Headers and the body of the answers from now on. */
  answerWith(headers: Record<string, string>, body?: string | Buffer): void;
  /** Answers the next request only after `release()`. Resolves when it is there. */
  holdNext(): Promise<void>;
  release(): void;
  /** The number of requests, whatever came of them. */
  readonly requests: number;
  stop(): Promise<void>;
}

export interface Browser {
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  /** What the browser has got, in order. */
  readonly received: Received[];
  /** Ends the subscription: from now on, the service answers 410. */
  unsubscribe(): void;
  /** Resolves when as many notifications are there. @throws with those that are, after a minute and a half. */
  until(count: number): Promise<Notification[]>;
}

export interface Received {
  notification: Notification;
  /** The claims of the token that signed the request. */
  claims: { aud: string; exp: number; sub: string };
  ttl: number;
  /** The request's body, as the push service sees it. */
  encrypted: Buffer;
}

interface Subscriber {
  curve: ECDH;
  auth: Buffer;
  publicKey: string;
  received: Received[];
  gone: boolean;
}

const patienceMs = 90_000;

export async function startPushService(): Promise<PushService> {
  const subscribers = new Map<string, Subscriber>();
  const failures: number[] = [];
  let extra: { headers: Record<string, string>; body?: string | Buffer } = { headers: {} };
  let listeners: (() => void)[] = [];
  let requests = 0;
  let hold: (() => void) | undefined;
  let release: () => void = () => undefined;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests += 1;
    const body = Buffer.concat(await request.toArray());
    const held = hold;
    hold = undefined;
    if (held) {
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      held();
      await released;
    }
    const status = failures.shift() ?? take(request, body);
    response.writeHead(status, extra.headers).end(extra.body);
    for (const listener of listeners) listener();
  }

  function take({ url, method, headers }: IncomingMessage, body: Buffer): number {
    const subscriber = subscribers.get(String(url));
    if (!subscriber) return 404;
    if (subscriber.gone) return 410;
    if (method !== 'POST' || headers['content-encoding'] !== 'aes128gcm' || !headers.ttl) return 400;
    const claims = claimsOf(String(headers.authorization), subscriber.publicKey);
    if (!claims || claims.aud !== server.url || claims.exp * 1_000 < Date.now()) return 403;
    const notification = JSON.parse(decrypted(body, subscriber)) as Notification;
    subscriber.received.push({ notification, claims, ttl: Number(headers.ttl), encrypted: body });
    return 201;
  }

  const server = await listen((request, response) => {
    serve(request, response).catch(() => response.writeHead(400).end());
  });

  return {
    url: server.url,
    subscribe(publicKey) {
      const curve = createECDH('prime256v1');
      curve.generateKeys();
      const subscriber: Subscriber = { curve, auth: randomBytes(16), publicKey, received: [], gone: false };
      const path = `/push/${randomBytes(8).toString('hex')}`;
      subscribers.set(path, subscriber);
      const { received, auth } = subscriber;
      return {
        received,
        subscription: {
          endpoint: server.url + path,
          keys: { p256dh: curve.getPublicKey('base64url'), auth: auth.toString('base64url') },
        },
        unsubscribe() {
          subscriber.gone = true;
        },
        async until(count) {
          let check: () => void = () => undefined;
          let timer: NodeJS.Timeout | undefined;
          await new Promise<void>((resolve, reject) => {
            check = () => received.length >= count && resolve();
            listeners.push(check);
            timer = setTimeout(() => reject(new Error(`Received: ${JSON.stringify(received)}`)), patienceMs);
            check();
          }).finally(() => clearTimeout(timer));
          listeners = listeners.filter((one) => one !== check);
          return received.map(({ notification }) => notification);
        },
      };
    },
    failNext: (...statuses) => void failures.push(...statuses),
    answerWith(headers, body) {
      extra = { headers, body };
    },
    holdNext: () =>
      new Promise((resolve) => {
        hold = resolve;
      }),
    release: () => release(),
    get requests() {
      return requests;
    },
    stop: server.stop,
  };
}

/** Returns the claims of `vapid t=…, k=…` if the token is signed with the key to which the browser has subscribed. */
function claimsOf(authorization: string, publicKey: string): Received['claims'] | undefined {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
  const [head = '', payload = '', signature = ''] = token.split('.');
  if (key !== publicKey) return undefined;
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const jwk = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const isValid = verify(
    'sha256',
    Buffer.from(`${head}.${payload}`),
    { key: jwk, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  return isValid ? (JSON.parse(Buffer.from(payload, 'base64url').toString()) as Received['claims']) : undefined;
}

/** https://www.rfc-editor.org/rfc/rfc8291#section-3.4: one record, with the sender's key as the key id. */
function decrypted(body: Buffer, { curve, auth }: Subscriber): string {
  const salt = body.subarray(0, 16);
  const keyEnd = 21 + body[20]!;
  const sender = body.subarray(21, keyEnd);
  const derive = (secret: Buffer, from: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, from, info, length));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), curve.getPublicKey(), sender]);
  const input = derive(curve.computeSecret(sender), auth, info, 32);
  const key = derive(input, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(input, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const record = body.subarray(keyEnd);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  // The last record ends with 2 and zeros.
  const end = padded.lastIndexOf(2);
  return padded.subarray(0, end).toString();
}
