import { retryAfter, secondsLater } from 'vigil-client/shared';
import * as z from 'zod';
import { ModelRejected, ModelThrottled, ModelUnavailable, type TooLong } from '../../core/base/text/errors';
import { tooLongIn } from './too-long';
import { odd, oddList } from './wire';

/** The common fields of the openai SDK's errors. `error` is the body of the server's response, if there was one. */
export interface ApiError {
  status?: number;
  code?: unknown;
  type?: unknown;
  param?: unknown;
  error?: unknown;
  headers?: Headers;
}

const InStream = z.looseObject({ object: z.unknown().optional(), error: z.unknown().optional() });
const Fields = z.object({ code: z.unknown().optional(), type: z.unknown().optional(), param: z.unknown().optional() });

/** Returns the error that an event reports, or a whole answer with the status 200. */
export function failureOf(event: unknown): ApiError | undefined {
  const { data } = InStream.safeParse(event);
  const error = data?.error || (data?.object === 'error' ? data : undefined);
  return error ? { ...Fields.safeParse(error).data, error } : undefined;
}

/** HTTP statuses of errors inside a stream, which come after the 200. Servers use the error's code or its type. */
const statuses: Record<string, number> = {
  rate_limit_exceeded: 429,
  rate_limit_error: 429,
  too_many_requests: 429,
  overloaded_error: 529,
  timeout_error: 504,
  request_too_large: 413,
  billing_error: 402,
  server_error: 500,
  internal_server_error: 500,
  api_error: 500,
  timeout: 504,
  invalid_api_key: 401,
  authentication_error: 401,
  permission_error: 403,
  permission_denied: 403,
  model_not_found: 404,
  not_found_error: 404,
  invalid_request_error: 400,
  invalid_prompt: 400,
  BadRequestError: 400,
};

/** Errors about the account's credit come with various statuses. */
const noCredit = [
  'insufficient_quota',
  'billing_hard_limit_reached',
  'billing_error',
  'insufficient_balance',
  'insufficient_funds',
  'insufficient_credits',
];
const contentRefused = 'The model refused the content.';
export const isContentRefusal = ({ message }: Error): boolean => message === contentRefused;
const refusedContent = ['content_policy_violation', 'content_filter'];

/** Returns the status of a response, or of an error inside a stream; undefined if unknown. */
export function statusOf(error: unknown): number | undefined {
  const { status, code, type } = error as ApiError;
  const numeric = Number(code);
  return status ?? (numeric >= 400 && numeric < 600 ? numeric : undefined) ?? named(code) ?? named(type);
}

const named = (name: unknown): number | undefined =>
  typeof name === 'string' && Object.hasOwn(statuses, name) ? statuses[name] : undefined;

/**
 * Anthropic's words, and Bedrock's for its models. LiteLLM and others repeat them, also with the status 429. The last ones are OpenAI's and
 * Anthropic's for what stays of their own tools' calls if a part of a reply is missing.
 */
export const unreadableThoughts =
  /\bsignature\b.{1,9}\bthinking\b|thinking`? blocks?\b|expected `thinking`|without (?:its required|a corresponding)\b|\bcorresponding `?server_tool_use\b/i;
const Said = z.object({ message: odd(z.string()), error: odd(z.object({ message: odd(z.string()) })) });

/** Returns what a server says about an error. Only for comparisons. */
export function messageOf(error: unknown): string {
  const { data } = Said.safeParse([(error as ApiError).error].flat()[0]);
  return data?.message ?? data?.error?.message ?? '';
}

/** Returns the field that a server says is wrong, such as `input[0].content[1]`. Only for comparisons. */
export const fieldOf = ({ param }: ApiError): string => (typeof param === 'string' ? param : '');

/**
 * The provider cannot read its model's encrypted reasoning: it belongs to another account, or the messages before it have changed.
 * The request is repeated without it.
 */
export class ThoughtsRefused extends ModelRejected {}

/**
 * Maps a failure of the model's server to one of Vigil's errors. Throttling, outages and a lack of credit are waited out, the rest is not.
 *
 * @param error an error that the SDK threw. Pass no others, because a bug in Vigil is not an outage.
 * @param words returns the server's message about a rejected request, fit for people to read. See `providerWords`.
 */
export function modelError(
  error: unknown,
  model: string,
  words: (error: unknown) => string = () => '',
): ModelThrottled | ModelUnavailable | ModelRejected {
  const status = statusOf(error);
  const says = (names: string[]) => [codeOf(error), typeOf(error)].some((name) => names.includes(name));
  const options = { cause: error };
  const passing = { cause: error, notBefore: notBefore(error as ApiError) };
  // Whoever pays can repair it, and the runs that wait continue.
  if (status === 402 || says(noCredit) || /\bcredit balance is too low\b/i.test(messageOf(error)))
    return new ModelThrottled("The model's account has no credit left.", { ...passing, isLasting: true });
  const tooLong = tooLongIn((error as ApiError).error, {
    isCertain: says(['context_length_exceeded']) || status === 413,
    isBusy: status === 429,
  });
  if (tooLong) return conversationTooLong(model, tooLong, error);
  if (says(['invalid_encrypted_content']) || unreadableThoughts.test(messageOf(error))) {
    return new ThoughtsRefused("The provider cannot read its model's encrypted reasoning.", options);
  }
  if (says(refusedContent)) return new ModelRejected(contentRefused, options);
  if (status === 429) return new ModelThrottled("The model's server is busy (429).", passing);
  if (status === undefined) {
    const answered = (error as ApiError).error !== undefined;
    const what = answered ? `The model's server failed during its reply${details(error)}.` : brokeOff;
    return new ModelUnavailable(what, passing);
  }
  if (status >= 500 || status === 408 || status === 409) {
    return new ModelUnavailable(`The model's server failed (${status}).`, passing);
  }
  const refused = refusal(status, model);
  if (refused) return new ModelRejected(refused, { ...options, isLasting: true });
  const said = words((error as ApiError).error);
  const why = said ? `: ${said}${details(error, ' (', ')')}` : `${details(error)}.`;
  return new ModelRejected(`${rejected} (${status})${why}`, options);
}

export const conversationTooLong = (model: string, tooLong: TooLong, cause: unknown): ModelRejected =>
  new ModelRejected(`The conversation has grown too long for the model "${model}".`, { cause, tooLong });

/** Google's servers give the pause in the body: `google.rpc.RetryInfo`. */
const RetryInfo = z.object({ retryDelay: z.string().regex(/^\d+(?:\.\d+)?s$/) });
const Detailed = z.object({ details: oddList(RetryInfo), error: odd(z.object({ details: oddList(RetryInfo) })) });

/** Returns until when a server asks not to be asked again. */
function notBefore({ headers, error }: ApiError): Date | undefined {
  const now = new Date();
  const body = Detailed.safeParse([error].flat()[0]).data;
  const [info] = [...(body?.details ?? []), ...(body?.error?.details ?? [])];
  const inBody = info && secondsLater(Number.parseFloat(info.retryDelay), now);
  return (headers && retryAfter(headers, now)) ?? inBody;
}

const brokeOff = "The connection to the model's server was lost.";
const rejected = "The model's server rejected the request";

/** The server refuses the deployment, whatever the request says. */
function refusal(status: number, model: string): string | undefined {
  if (status === 401) return "The model's server refused the key (401). Put a valid key into the secret.";
  if (status === 403) return `The model's server does not allow this key to use the model "${model}" (403).`;
  if (status === 404) return `The model's server does not know the model "${model}" (404).`;
  if (status === 410) return `The model's server has shut down the model "${model}" (410).`;
  return undefined;
}

const codeOf = (error: unknown) => word((error as ApiError).code);
const typeOf = (error: unknown) => word((error as ApiError).type);

/** Returns a protocol's identifier, and nothing that could be a sentence or a key. */
const word = (value: unknown): string =>
  (typeof value === 'string' || typeof value === 'number') && /^[a-z0-9_.[\]]{1,60}$/i.test(String(value))
    ? String(value)
    : '';

function details(error: unknown, before = ': ', after = ''): string {
  const { code, type, param } = error as ApiError;
  const known = Object.entries({ code, type, param }).filter(([, value]) => word(value));
  const named = known.map(([field, value]) => `${field} ${word(value)}`).join(', ');
  return named && `${before}${named}${after}`;
}
