import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AlreadyAnswered, InvalidInput, LimitReached } from '../core/base/text/errors';
import { isThrottling } from '../core/base/text/throttling';
import { logFailure } from '../runtime/plain-error';

export interface FieldError {
  path: string;
  message: string;
}

/** An invalid request, with its invalid fields. */
export class BadRequest extends HTTPException {
  constructor(readonly errors: FieldError[]) {
    super(400, { message: errors.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ') });
  }
}

/** Problem details (RFC 9457). */
interface Problem {
  status: ContentfulStatusCode;
  detail: string;
  errors?: FieldError[];
  /** The limit that is reached. */
  limit?: LimitReached['limit'];
  /** The first outcome of a callback that is already closed. */
  outcome?: unknown;
}

/** Maps an error to a problem. Vigil's own errors are recognized by name. An unexpected error reveals no details. */
export function problemOf(error: Error): Problem {
  if (error.name === 'InvalidInput')
    return problemOf(new BadRequest([error as InvalidInput, ...((error as InvalidInput).others ?? [])]));
  if (error instanceof BadRequest)
    return { status: 400, detail: error.message, errors: error.errors.map(pathAndMessage) };
  // Hono throws this if the body cannot be parsed. For an invalid body, routes throw BadRequest.
  if (error instanceof HTTPException && error.status === 400)
    return problemOf(new BadRequest([{ path: 'body', message: 'is not valid JSON' }]));
  if (error instanceof HTTPException && error.status === 415)
    return { status: 415, detail: 'Send JSON with the content type application/json.' };
  if (error instanceof HTTPException) return { status: error.status as ContentfulStatusCode, detail: error.message };
  if (error.name === 'NotFound') return { status: 404, detail: error.message };
  if (error.name === 'NotAllowed') return { status: 403, detail: error.message };
  if (error.name === 'AlreadyAnswered')
    return { status: 409, detail: error.message, outcome: (error as AlreadyAnswered).outcome };
  if (error.name === 'UnreadableRow')
    return { status: 409, detail: `${error.message} You can cancel the run, and delete the conversation.` };
  if (error.name === 'NewerRow') return { status: 503, detail: error.message };
  if (error.name === 'WrongState') return { status: 409, detail: error.message };
  if (error.name === 'LimitReached')
    return { status: 429, detail: error.message, limit: (error as LimitReached).limit };
  if (isThrottling(error)) return { status: 503, detail: 'Vigil has no capacity at the moment. Try again.' };
  if (error.name === 'ConversationBusy') return { status: 503, detail: error.message };
  // The same for a row other than META. The error's own message contains a key.
  if (error.name === 'RowConflict') return { status: 503, detail: 'The conversation keeps changing. Try again.' };
  logFailure(error, {});
  if (error.name === 'ConfigurationError') return { status: 500, detail: error.message };
  return { status: 500, detail: 'Internal error. Try again; nothing was left half-done.' };
}

const pathAndMessage = ({ path, message }: FieldError): FieldError => ({ path, message });

const titles: Record<number, string> = {
  400: 'Bad request',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Conflict',
  415: 'Unsupported media type',
  429: 'Limit reached',
  500: 'Internal error',
  503: 'Busy',
};

export const titleOf = (status: number): string => titles[status] ?? 'Error';

export function problemBody({ status, ...rest }: Problem): string {
  return JSON.stringify({ type: 'about:blank', title: titleOf(status), status, ...rest });
}

export const problemType = { 'content-type': 'application/problem+json' };

/** A client that has no pauses of its own waits as long before it repeats the request. */
export const retryAfter = ({ status }: Problem): Record<string, string> =>
  status === 503 ? { 'retry-after': '1' } : {};
