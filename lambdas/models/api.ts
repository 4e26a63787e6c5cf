import type OpenAI from 'openai';
import type { ModelRequest, Reply } from '../../core/conversations/agent/model';
import type { ApiError } from './model-errors';

/** The name of the output limit at a server of chat completions. */
export type OutputLimit = 'max_tokens' | 'max_completion_tokens';

/** A model request, independent of the API. */
export type Asking = Pick<ModelRequest, 'agent' | 'items'> & {
  outputLimit?: OutputLimit;
  /** Whether the server enforces a JSON schema. */
  structuredOutput?: boolean;
};

/** A server's counts of a call's tokens. What it does not count, or counts wrongly, is absent. */
export interface Counts {
  /** Cached tokens included. */
  input?: number;
  output?: number;
  cached?: number;
  written?: number;
  reasoning?: number;
}

/** A complete reply, as `collected` makes it. */
export type Collected = Reply & { counts?: Counts };

/** Assembles a reply from its events, which may have any form. */
export interface Collector {
  /** @throws ModelUnreadable if the reply does not end. */
  add(event: unknown): void;
  /**
   * @param isDone whether the server has said that nothing follows.
   * @throws ModelRejected, ModelUnavailable, ModelUnreadable if there is no complete reply.
   */
  finish(isDone?: boolean): Collected;
}

/** One of the openai SDK's APIs: converts a transcript to its request format, and its response back. */
export interface Api {
  /** @throws what the SDK throws. */
  open(client: OpenAI, asking: Asking, signal: AbortSignal): Promise<Response>;
  collector(onText: (piece: string) => void): Collector;
  /** Returns the error that an event inside the stream reports, in the form that `modelError` reads. */
  failureIn(event: unknown): ApiError | undefined;
}
