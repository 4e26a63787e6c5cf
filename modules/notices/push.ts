import type * as http from 'node:http';
import { retryAfter } from 'vigil-client/shared';
import { generateRequestDetails, type PushSubscription, type RequestOptions } from 'web-push';
import { log } from '../../runtime/log';
import { type Network, network, publicLookup, requestTo } from '../../runtime/outgoing/public-lookup';
import type { Delivery } from './deliver-notice';
import type { Notification } from './notification';
import { pushRefusal, trustedPushOrigins } from './push-address';
import type { PushKeys } from './push-keys';
import type { Device } from './reach';

export interface PushOptions {
  keys: PushKeys;
  /** Whom a push service may ask about this deployment (RFC 8292): `mailto:` or `https:`. */
  contact: string;
  /** Origins besides those of the public internet. */
  trusted?: string[];
  network?: Network;
  timeoutMs?: number;
}

/** A browser that is off for longer does not hear of it. */
const keptSeconds = 86_400;
const defaultTimeoutMs = 10_000;
/** A device whose service answers so may take the notification later. */
const mayPass = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/**
 * Sends a notification to a browser's push service: encrypted for the browser (RFC 8291), and signed with the deployment's key
 * (RFC 8292). The endpoint is a client's choice, so the connection goes to checked addresses only, and no redirect is followed.
 */
export async function pushTo(
  { id: deviceId, endpoint, p256dh, auth }: Device,
  notification: Notification,
  { keys, contact, trusted = trustedPushOrigins(), network: { resolve, connect } = network, timeoutMs }: PushOptions,
): Promise<Delivery> {
  if (pushRefusal(endpoint, trusted)) return 'refused';
  const signal = AbortSignal.timeout(timeoutMs ?? defaultTimeoutMs);
  const url = new URL(endpoint);
  const options: RequestOptions = {
    vapidDetails: { subject: contact, ...keys },
    TTL: keptSeconds,
    urgency: notification.kind === 'answer' ? 'normal' : 'high',
  };
  const details = detailsOf({ endpoint, keys: { p256dh, auth } }, notification, options);
  if (!details) return 'refused';
  const { method, headers, body } = details;
  try {
    const lookup = trusted.includes(url.origin) ? undefined : await publicLookup(url, resolve, signal);
    const { status, notBefore } = await answerOf(url, { method, headers, lookup, signal }, body, connect);
    if (status >= 200 && status < 300) return 'taken';
    if (status === 404 || status === 410) return 'gone';
    log.warn('a push service refused a notification', { deviceId, status });
    if (!mayPass(status)) return 'refused';
    return notBefore ? { notBefore } : 'failed';
  } catch (error) {
    const { name, code } = error as NodeJS.ErrnoException;
    log.warn('a push service was not reached', { deviceId, error: name, code });
    return name === 'NotPublic' ? 'refused' : 'failed';
  }
}

/** Returns undefined if the browser's keys, or the deployment's contact, are none. */
function detailsOf(subscription: PushSubscription, notification: Notification, options: RequestOptions) {
  try {
    return generateRequestDetails(subscription, JSON.stringify(notification), options);
  } catch (error) {
    log.error('a notification cannot be encrypted or signed', { error: (error as Error).name });
    return undefined;
  }
}

/** The part that is read of a push service's answer: its status, and when it wants to be asked again. */
interface Answer {
  status: number;
  notBefore?: Date;
}

function answerOf(
  url: URL,
  options: http.RequestOptions,
  body: Buffer | string | null,
  connect: Network['connect'],
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    requestTo(url, options, connect)
      .once('response', (response) => {
        // What it says is of no use, and may be endless.
        response.destroy();
        const { statusCode: status = 0, headers } = response;
        resolve({ status, notBefore: retryAfter((name) => [headers[name]].flat()[0], new Date()) });
      })
      .once('error', reject)
      .end(body ?? undefined);
  });
}
