import type { Context, Next } from 'hono';
import type { LambdaEvent } from 'hono/aws-lambda';
import { malformed, readClientJson } from '../../core/base/json/foreign-json';
import { clip, isWellFormed } from '../../core/base/text/clip';
import { BadRequest } from '../problems';

/**
 * Checks what comes in before any route reads it: the address and the body are well-formed Unicode, the body's numbers keep their digits, and
 * it is not nested deeply.
 *
 * @throws BadRequest, InvalidInput naming the field.
 */
export async function checkIncoming({ req }: Context, next: Next): Promise<void> {
  const [path = '', query = ''] = req.url.replace(/^\w+:\/\/[^/]*/, '').split(/\?(.*)/s);
  checkEscapes('path', path);
  for (const parameter of query.split('&'))
    checkEscapes(clip(parameter.split('=')[0]!, { characters: 100 }), parameter);
  // A delivery is repaired by its route, because its sender cannot send it in another form.
  const isDelivery = req.path.startsWith('/webhooks/');
  if (!isDelivery && /\bjson\b/i.test(req.header('content-type') ?? '')) {
    const text = await req.text();
    if (text) readClientJson(text, 'body');
  }
  await next();
}

/** Half an emoji has no UTF-8, so escapes that would be one cannot be decoded. A `%` that begins no escape is itself. */
function checkEscapes(name: string, text: string): void {
  for (const [escapes] of text.matchAll(/(?:%[0-9a-f]{2})+/gi))
    if (!isText(escapes)) throw new BadRequest([{ path: /^[\w.-]+$/.test(name) ? name : 'query', message: malformed }]);
}

function isText(escapes: string): boolean {
  try {
    return isWellFormed(decodeURIComponent(escapes));
  } catch {
    return false;
  }
}

/** Returns the event with headers as a browser's `Headers` takes them: each character a byte of UTF-8, none that ends a line. */
export function withByteHeaders<Event extends Partial<Pick<LambdaEvent, 'headers'>>>(event: Event): Event {
  const { headers } = event;
  if (!headers) return event;
  const bytes = (value: string) => (isLatin.test(value) ? value : Buffer.from(value).toString('latin1'));
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    value && bytes(value).replace(/[\0\r\n]/g, ' '),
  ]);
  return { ...event, headers: Object.fromEntries(entries) };
}

const isLatin = /^[\0-\xff]*$/;
