import { ModelRejected, ModelThrottled, ModelUnavailable } from '../../core/text/errors';

/** What the openai SDK's errors have in common. `error` is what the server said; without it, nobody answered. */
export interface ApiError {
  status?: number;
  code?: unknown;
  type?: unknown;
  param?: unknown;
  error?: unknown;
}

/**
 * What an error is worth as an HTTP status. An error inside a stream comes after the 200: its code or its type is all that
 * tells, and servers differ in which of them they fill.
 */
const statuses: Record<string, number> = {
  rate_limit_exceeded: 429,
  rate_limit_error: 429,
  too_many_requests: 429,
  overloaded_error: 529,
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

/** Money is a matter of the account, whatever the status that it comes with. */
const noCredit = ['insufficient_quota', 'billing_hard_limit_reached', 'insufficient_balance'];
const refusedContent = ['content_policy_violation', 'content_filter'];

/** The status of an answer, or the one that an error inside a stream stands for; undefined if neither tells. */
export function statusOf(error: unknown): number | undefined {
  const { status, code, type } = error as ApiError;
  const numeric = Number(code);
  return status ?? (numeric >= 400 && numeric < 600 ? numeric : undefined) ?? named(code) ?? named(type);
}

const named = (name: unknown): number | undefined =>
  typeof name === 'string' && Object.hasOwn(statuses, name) ? statuses[name] : undefined;

/**
 * The provider cannot read what its model has thought: it was made for another account, or the words before it have changed
 * since. The same request goes without.
 */
export class ThoughtsRefused extends ModelRejected {}

/**
 * A failure of the model's server as one of ours: throttling and outages are worth another attempt, the rest is not.
 *
 * @param error what the SDK threw, and nothing else: our own bugs are no outage.
 * @param words what the server says of a request that it refuses, fit for people to read: see `providerWords`.
 */
export function modelError(
  error: unknown,
  model: string,
  words: (error: unknown) => string = () => '',
): ModelThrottled | ModelUnavailable | ModelRejected {
  const options = { cause: error };
  const status = statusOf(error);
  const says = (names: string[]) => [codeOf(error), typeOf(error)].some((name) => names.includes(name));
  if (status === 402 || says(noCredit)) return new ModelRejected("The model's account has no credit left.", options);
  if (says(['context_length_exceeded'])) {
    return new ModelRejected(`The conversation has grown too long for the model "${model}".`, options);
  }
  if (says(['invalid_encrypted_content'])) {
    return new ThoughtsRefused('The provider cannot read what its model thought.', options);
  }
  if (says(refusedContent)) return new ModelRejected('The model refused the content.', options);
  if (status === 429) return new ModelThrottled("The model's server is busy (429).", options);
  if (status === undefined) {
    const answered = (error as ApiError).error !== undefined;
    const what = answered ? `The model's server failed in mid-answer${details(error)}.` : brokeOff;
    return new ModelUnavailable(what, options);
  }
  if (status >= 500 || status === 408 || status === 409) {
    return new ModelUnavailable(`The model's server failed (${status}).`, options);
  }
  const said = words((error as ApiError).error);
  const why = said ? `: ${said}${details(error, ' (', ')')}` : `${details(error)}.`;
  return new ModelRejected(rejection(status, model) ?? `${rejected} (${status})${why}`, options);
}

const brokeOff = "The connection to the model's server broke off.";
const rejected = "The model's server rejected the request";

function rejection(status: number, model: string): string | undefined {
  if (status === 401) return "The model's server refused the key (401). Put a valid key into the secret.";
  if (status === 403) return `The model's server does not let this key use the model "${model}" (403).`;
  if (status === 404) return `The model's server does not know the model "${model}" (404).`;
  return undefined;
}

const codeOf = (error: unknown) => word((error as ApiError).code);
const typeOf = (error: unknown) => word((error as ApiError).type);

/** A name out of a protocol, and nothing that could be a sentence or a key. */
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
