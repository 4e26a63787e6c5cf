import type OpenAI from 'openai';
import type { ModelRequest, Reply } from '../../core/agent/model';
import type { Usage } from '../../core/state/schemas';
import type { ApiError } from './model-errors';

/** How a server of chat completions calls the limit of its output. */
export type OutputLimit = 'max_tokens' | 'max_completion_tokens';

/** What is asked of a model, whatever the API. */
export type Asking = Pick<ModelRequest, 'agent' | 'items'> & {
  outputLimit?: OutputLimit;
  /** Whether the server holds a model to a schema. */
  structuredOutput?: boolean;
};

/** A reply as it came; without `usage` from a server that counts nothing. */
export type Collected = Reply & { usage?: Usage };

/** Puts a streamed reply together. */
export interface Collector<Event> {
  add(event: Event): void;
  /** @throws ModelRejected, ModelUnavailable for a reply that is none. */
  finish(): Collected;
}

/** One of the APIs that the openai SDK speaks: translates a transcript into its words, and its answer back. */
export interface Api<Event> {
  /** @throws what the SDK throws. */
  open(client: OpenAI, asking: Asking, signal: AbortSignal): PromiseLike<AsyncIterable<Event>>;
  collector(onText: (piece: string) => void): Collector<Event>;
  /** What failed at the server after its answer had begun, in the shape that `modelError` reads. */
  failureIn?(event: Event): ApiError | undefined;
}
