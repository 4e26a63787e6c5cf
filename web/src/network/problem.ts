import type { Problem } from '../../../lambdas/api/bodies';

/** A failed request, with a message for people. `status` is 0 if there was no response. */
export class RequestFailed extends Error {
  override name = 'RequestFailed';
  constructor(
    readonly status: number,
    message: string,
    readonly problem?: Problem,
  ) {
    super(message);
  }

  /** Whether the same request may succeed later. */
  get passing(): boolean {
    // A limit of the user does not pass by itself. Throttling, which names none, does.
    const isThrottled = this.status === 429 && !this.problem?.limit;
    return this.status === 0 || isThrottled || this.status >= 500;
  }
}

export async function problemOf(response: Response): Promise<RequestFailed> {
  const body = (await response.json().catch(() => ({}))) as Partial<Problem> & { message?: string };
  const fields = body.errors?.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ');
  const words = fields || body.detail || body.message || `The server responded with status ${response.status}.`;
  return new RequestFailed(response.status, words, body.type ? (body as Problem) : undefined);
}

export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
