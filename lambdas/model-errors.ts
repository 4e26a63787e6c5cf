import { ModelRejected, ModelThrottled, ModelUnavailable } from '../core/errors';

/** What the openai SDK's errors have in common; compared by shape, since bundling renames classes. */
interface ApiError {
  status?: number;
  code?: string | null;
  message?: string;
}

/**
 * A failure of the model's server as one of ours: throttling and outages are worth another attempt, the rest is not.
 * The messages are for people, and hold no key.
 */
export function modelError(error: unknown, model: string): ModelThrottled | ModelUnavailable | ModelRejected {
  const { status, code, message } = error as ApiError;
  const options = { cause: error };
  if (code === 'insufficient_quota') return new ModelRejected("The model's account has no credit left.", options);
  if (status === 429) return new ModelThrottled("The model's server is busy (429).", options);
  if (status === undefined) return new ModelUnavailable("The connection to the model's server broke off.", options);
  if (status >= 500 || status === 408 || status === 409) {
    return new ModelUnavailable(`The model's server failed (${status}).`, options);
  }
  return new ModelRejected(rejection(status, code, message, model), options);
}

function rejection(status: number, code: string | null | undefined, message = '', model: string): string {
  if (status === 401) return "The model's server refused the key (401). Put a valid key into the secret.";
  if (status === 403) return `The model's server does not let this key use the model "${model}" (403).`;
  if (status === 404) return `The model's server does not know the model "${model}" (404).`;
  if (code === 'context_length_exceeded') return `The conversation has grown too long for the model "${model}".`;
  if (code === 'content_policy_violation' || code === 'content_filter') return 'The model refused the content.';
  return `The model's server rejected the request (${status}): ${withoutKeys(message).slice(0, 200)}`;
}

const withoutKeys = (text: string) => text.replace(/\b(sk|key|Bearer)[-_ ][\w*.-]{6,}/gi, '[key]');
