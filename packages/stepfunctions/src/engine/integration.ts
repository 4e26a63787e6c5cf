import type { TaskResource } from '../execution/task-resource';
import type { Json } from '../language/json';

/** A call that a Task state makes. */
export interface TaskCall {
  resource: TaskResource;
  parameters: Json;
  /** The state machine's role. */
  principal: string;
  /** The execution that calls; some services are told. */
  executionArn: string;
  /** Names this attempt of this task, also after a restart: what makes a repeated call recognisable. */
  token: string;
  /** Aborted when the task times out or its execution ends. */
  signal: AbortSignal;
}

/** The failure of a task, in the words that the state machine's `ErrorEquals` sees. */
export class TaskError extends Error {
  override readonly name = 'TaskError';
  constructor(
    readonly error: string | undefined,
    override readonly cause: string | undefined,
  ) {
    super(cause);
  }
}

/** A service that Task states call. */
export interface Integration {
  /** Makes the call. Throws TaskError. */
  call(call: TaskCall): Promise<Json>;
  /** For `.sync`: what the job has come to, once it has. Throws TaskError for a job that failed. */
  watch?(call: TaskCall, submitted: Json): Promise<Json>;
  /** Stops a job that nobody waits for any more. */
  stop?(call: TaskCall, submitted: Json): Promise<void>;
}

/** A service's answer when it refuses a call. */
export interface ServiceError {
  /** `ResourceNotFoundException` */
  name: string;
  message: string;
  status?: number;
  requestId?: string;
}

/** Explains why a service could not be reached, in the words of AWS's own client. */
export function unreachable(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string; hostname?: string; message?: string } };
  if (cause?.code === 'ENOTFOUND')
    return `Unable to execute HTTP request: ${cause.hostname}: Name or service not known`;
  return `Unable to execute HTTP request: ${cause?.message ?? message}`;
}

export const isServiceError = (error: unknown): error is ServiceError & Error =>
  error instanceof Error && 'status' in error;
