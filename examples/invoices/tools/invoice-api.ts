import { TellModel, ToolFailed, ToolTerminal } from 'vigil';
import * as z from 'zod';

/** An invoice, as the invoice API tells it. */
export const Invoice = z.object({
  number: z.string(),
  customer: z.string(),
  email: z.string(),
  cents: z.int(),
  due: z.string(),
});

/** What each tool declares that calls the invoice API. */
interface InvoiceApi {
  secrets: { readonly INVOICES_API_KEY: string };
  variables: { readonly INVOICES_URL: string };
}

/** Sends a request to the invoice API, and returns the answer's JSON. A repeated request with the same key has one effect. */
export async function callInvoiceApi(
  path: string,
  { secrets, variables }: InvoiceApi,
  post?: { key: string; body: object },
): Promise<unknown> {
  const response = await fetch(`${variables.INVOICES_URL}${path}`, {
    headers: {
      authorization: `Bearer ${secrets.INVOICES_API_KEY}`,
      ...(post && { 'content-type': 'application/json', 'idempotency-key': post.key }),
    },
    ...(post && { method: 'POST', body: JSON.stringify(post.body) }),
  });
  if (response.status === 401) throw new ToolTerminal('The invoice API refuses the key: correct INVOICES_API_KEY.');
  if (response.status === 404) throw new TellModel('There is no such invoice.');
  if (!response.ok) throw new ToolFailed(`The invoice API answered ${response.status}.`);
  return response.json();
}
