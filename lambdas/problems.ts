import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { type ProblemKind, type ProblemValues, problemKinds, typeOfProblem } from '../core/base/state/problem-kinds';
import type {
  AlreadyAnswered,
  InvalidInput,
  LimitReached,
  NotAllowed,
  NotFound,
  WrongState,
} from '../core/base/text/errors';
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
  type: string;
  status: ContentfulStatusCode;
  detail: string;
  /** What a sentence of this type needs, for who translates it. */
  values?: ProblemValues;
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
    return problem('invalid-input', error.message, { errors: error.errors.map(pathAndMessage) });
  // Hono throws this if the body cannot be parsed. For an invalid body, routes throw BadRequest.
  if (error instanceof HTTPException && error.status === 400)
    return problemOf(new BadRequest([{ path: 'body', message: 'is not valid JSON' }]));
  if (error instanceof HTTPException && error.status === 415)
    return problem('not-json', 'Send JSON with the content type application/json.');
  if (error instanceof HTTPException)
    return { type: typeOfStatus(error.status), status: error.status as ContentfulStatusCode, detail: error.message };
  const own = ownProblem(error);
  if (own) return own;
  if (isThrottling(error)) return problem('no-capacity', 'Vigil has no capacity at the moment. Try again.');
  // The same as ConversationBusy for a row other than META. The error's own message contains a key.
  if (error.name === 'RowConflict') return problem('busy', 'The conversation keeps changing. Try again.');
  logFailure(error, {});
  if (error.name === 'ConfigurationError') return problem('misconfigured', error.message);
  return problem('internal', 'Internal error. Try again; nothing was left half-done.');
}

function ownProblem(error: Error): Problem | undefined {
  switch (error.name) {
    case 'NotFound':
      return ofKind(error as NotFound, 'not-found');
    case 'NotAllowed':
      return ofKind(error as NotAllowed, 'not-allowed');
    case 'WrongState':
      return ofKind(error as WrongState, 'wrong-state');
    case 'AlreadyAnswered': {
      const { status, outcome } = error as AlreadyAnswered;
      return problem(answeredKinds[status], error.message, { outcome });
    }
    case 'UnreadableRow':
      return problem('unreadable-row', `${error.message} You can cancel the run, and delete the conversation.`);
    case 'NewerRow':
      return problem('newer-row', error.message);
    case 'LimitReached':
      return problem('limit-reached', error.message, { limit: (error as LimitReached).limit });
    case 'ConversationBusy':
      return problem('busy', error.message);
    default:
      return undefined;
  }
}

type Members = Pick<Problem, 'errors' | 'limit' | 'outcome' | 'values'>;

const problem = (kind: ProblemKind, detail: string, members: Members = {}): Problem => ({
  type: typeOfProblem(kind),
  status: problemKinds[kind].status,
  detail,
  ...members,
});

/** An error of code that knows no kinds is of the general one. */
const ofKind = ({ message, of }: NotFound | NotAllowed | WrongState, general: ProblemKind): Problem =>
  problem(of?.kind ?? general, message, of?.values && { values: of.values });

const answeredKinds = { answered: 'already-answered', expired: 'expired', cancelled: 'withdrawn' } as const;

const statusKinds: Record<number, ProblemKind> = { 401: 'not-signed-in', 403: 'not-allowed', 413: 'too-large' };
const typeOfStatus = (status: number): string =>
  Object.hasOwn(statusKinds, status) ? typeOfProblem(statusKinds[status]!) : 'about:blank';

const pathAndMessage = ({ path, message }: FieldError): FieldError => ({ path, message });

const titles: Record<number, string> = {
  400: 'Bad request',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Conflict',
  413: 'Content too large',
  415: 'Unsupported media type',
  429: 'Limit reached',
  500: 'Internal error',
  503: 'Busy',
};

export const titleOf = (status: number): string => titles[status] ?? 'Error';

export function problemBody({ type, status, ...rest }: Problem): string {
  return JSON.stringify({ type, title: titleOf(status), status, ...rest });
}

export const problemType = { 'content-type': 'application/problem+json' };

/** A client that has no pauses of its own waits as long before it repeats the request. */
export const retryAfter = ({ status }: Problem): Record<string, string> =>
  status === 503 ? { 'retry-after': '1' } : {};
