/** Requests an effect from a third party, with a key that makes it happen once. */
export async function post(url: string, key: string, body?: object): Promise<void> {
  const headers = { 'idempotency-key': key, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: body && JSON.stringify(body) });
  if (!response.ok) throw new Error(`The other side answered ${response.status}.`);
}
