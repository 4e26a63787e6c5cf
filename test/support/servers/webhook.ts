/**
 * Delivers to a webhook's address like an outside system, with nothing but the address.
 *
 * @example
 * ```ts
 * import { deliver } from 'vigil/testing';
 *
 * // The address that a tool has got as `context.webhookUrl` and has passed on, for example in `shop.bodies`.
 * const webhookUrl = `${process.env.VIGIL_URL}/webhooks/abc`;
 * const { status } = await deliver(webhookUrl, { shipped: true });
 * status; // → 202
 * ```
 */
export const deliver = (url: string, payload: unknown) => send(url, JSON.stringify(payload), 'application/json');

/** Sends any body unchanged. */
export async function send(url: string, body: string, type: string) {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': type }, body });
  const text = await answer.text();
  const contentType = answer.headers.get('content-type');
  return { status: answer.status, type: contentType, body: contentType?.includes('json') ? JSON.parse(text) : text };
}
