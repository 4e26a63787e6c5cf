import * as z from 'zod';
import type { TooLong } from '../../core/base/text/errors';
import { odd, Tokens } from './wire';

const Body = z.object({
  message: odd(z.string()),
  detail: odd(z.string()),
  /** llama.cpp's server counts in fields of their own. */
  n_ctx: Tokens,
  n_prompt_tokens: Tokens,
});
const Wrapped = z.object({ error: odd(Body) });

/** The words of servers for a request that is too long for a model's window. */
const sayings = [
  /\b(?:context|prompt) (?:length|window|size|limit)\b/i,
  /\b(?:prompt|input|inputs|request|conversation|messages?)\b.{0,20}\btoo (?:long|large)\b/i,
  /\btoo many (?:input |prompt )?tokens\b/i,
  /\btokens?\b.{0,60}\b(?:exceeds?|cannot exceed|must be <=)/i,
];
/** A request that needs more than the tokens of a minute is never accepted. Others are, later. */
const tooLarge = /\brequest too large\b/i;
const limits = [/> ?([\d,]{3,})/, /(?:maximum|limit|only|exceed|size|<=)\D{0,40}?([\d,]{3,})/i, /([\d,]{3,}) maximum/i];

/**
 * Returns what a server says about a request that is too long; undefined if it rejects the request for another reason.
 *
 * @param error the body of its answer, or the body's field `error`.
 * @param isCertain whether a code or the status says so.
 * @param isBusy whether the server says that it is busy.
 */
export function tooLongIn(error: unknown, { isCertain = false, isBusy = false } = {}): TooLong | undefined {
  const [first] = [error].flat();
  const own = Body.safeParse(first).data;
  const body = own?.message === undefined ? (Wrapped.safeParse(first).data?.error ?? own) : own;
  // Only read.
  const message = (body?.message ?? body?.detail ?? '').slice(0, 2_000);
  if (!isCertain && !(isBusy ? [tooLarge] : sayings).some((saying) => saying.test(message))) return undefined;
  const most = body?.n_ctx ?? numberIn(limits.map((limit) => limit.exec(message)?.[1]).find(Boolean));
  const numbers = [...message.matchAll(/\d[\d,]{2,}/g)].map(([digits]) => numberIn(digits) ?? 0);
  const needed = body?.n_prompt_tokens ?? Math.max(0, ...numbers);
  return { most, needed: most !== undefined && needed > most ? needed : undefined };
}

function numberIn(digits: string | undefined): number | undefined {
  const number = Number(digits?.replaceAll(',', ''));
  return number >= 100 && number < 100_000_000 ? number : undefined;
}
