import type { Problem } from './api-types';
import type { Answer } from './http';
import { retryAfter } from './retry-after';

/**
 * A failed request, with a message for people. `status` is 0 if there was no response.
 *
 * @example
 * ```ts
 * import { createClient, RequestFailed } from 'vigil-client';
 *
 * const client = createClient({ url: process.env.VIGIL_URL!, token: () => process.env.VIGIL_TOKEN! });
 * const error = await client.api.read('unknown', 0).catch((thrown: unknown) => thrown);
 * if (!(error instanceof RequestFailed)) throw error;
 * error.status; // → 404
 * error.message; // → 'There is no such conversation.'
 * error.passing; // → false
 * ```
 */
export class RequestFailed extends Error {
  override name = 'RequestFailed';
  constructor(
    readonly status: number,
    message: string,
    readonly problem?: Problem,
    /** The server asks not to repeat the request sooner. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }

  get detail(): string | undefined {
    return this.problem?.detail;
  }

  /** The invalid fields of a 400. */
  get errors(): Problem['errors'] {
    return this.problem?.errors;
  }

  /** The limit that a 429 has reached. */
  get limit(): Problem['limit'] {
    return this.problem?.limit;
  }

  /** Whether the same request may succeed later. */
  get passing(): boolean {
    // A limit of the user does not pass by itself. Throttling, which names none, does.
    const isThrottled = this.status === 429 && !this.limit;
    return this.status === 0 || isThrottled || this.status >= 500;
  }
}

export const problemOf = async (response: Response): Promise<RequestFailed> =>
  problemIn({
    status: response.status,
    text: await response.text().catch(() => ''),
    retryAfterSeconds: secondsAskedFor(response.headers, Date.now()),
  });

/** Returns for how many seconds a server asks not to be asked again (`Retry-After`). */
export function secondsAskedFor(headers: Headers, now: number): number | undefined {
  const until = retryAfter(headers, new Date(now));
  return until && (until.getTime() - now) / 1_000;
}

/** @param answer of a failed request; `text` is the body. */
export function problemIn({
  status,
  text,
  retryAfterSeconds,
}: Pick<Answer, 'status' | 'text' | 'retryAfterSeconds'>): RequestFailed {
  const body = fieldsIn(text);
  const fields = body.errors?.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ');
  const words = fields || body.detail || body.message || `The server responded with status ${status}.`;
  return new RequestFailed(status, words, body.type ? (body as Problem) : undefined, retryAfterSeconds);
}

function fieldsIn(text: string): Partial<Problem> & { message?: string } {
  try {
    return (JSON.parse(text) as Partial<Problem> | null) ?? {};
  } catch {
    return {};
  }
}

export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
