import { createHmac, timingSafeEqual } from 'node:crypto';

/** Returns the token in a webhook's address: the callback's ids with an HMAC (SHA-256, RFC 2104), so an address cannot be forged. */
export function signWebhook(key: string, conversationId: string, callbackId: string): string {
  const claims = Buffer.from(JSON.stringify([conversationId, callbackId])).toString('base64url');
  return `${claims}.${signature(key, claims)}`;
}

/** @returns the callback that the token was signed for; undefined if the signature is invalid. */
export function verifyWebhook(key: string, token: string): { conversationId: string; callbackId: string } | undefined {
  const [claims = '', signed = '', more] = token.split('.');
  if (more !== undefined) return undefined;
  const [ours, theirs] = [signature(key, claims), signed].map((text) => Buffer.from(text));
  if (ours!.length !== theirs!.length || !timingSafeEqual(ours!, theirs!)) return undefined;
  const [conversationId, callbackId] = JSON.parse(Buffer.from(claims, 'base64url').toString()) as [string, string];
  return { conversationId, callbackId };
}

const signature = (key: string, claims: string): string =>
  createHmac('sha256', key).update(`vigil webhook ${claims}`).digest('base64url');
