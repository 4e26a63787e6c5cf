import type OpenAI from 'openai';
import type { ModelRequest, Reply } from '../../core/agent/model';
import type { Usage } from '../../core/state/schemas';
import type { ApiError } from './model-errors';

/** The name of the output limit at a server of chat completions. */
export type OutputLimit = 'max_tokens' | 'max_completion_tokens';

/** A model request, independent of the API. */
export type Asking = Pick<ModelRequest, 'agent' | 'items'> & {
  outputLimit?: OutputLimit;
  /** Whether the server enforces a JSON schema. */
  structuredOutput?: boolean;
};

/** A complete reply. `usage` is absent if the server does not report it. */
export type Collected = Reply & { usage?: Usage };

/** Assembles a streamed reply. */
export interface Collector<Event> {
  add(event: Event): void;
  /** @throws ModelRejected, ModelUnavailable if there is no complete reply. */
  finish(): Collected;
}

/** One of the openai SDK's APIs: converts a transcript to its request format, and its response back. */
export interface Api<Event> {
  /** @throws what the SDK throws. */
  open(client: OpenAI, asking: Asking, signal: AbortSignal): PromiseLike<AsyncIterable<Event>>;
  collector(onText: (piece: string) => void): Collector<Event>;
  /** Returns the error that an event inside the stream reports, in the form that `modelError` reads. */
  failureIn?(event: Event): ApiError | undefined;
}
