import type { Price } from '../../core/base/models/models';
import type { ModelRequest, Reply } from '../../core/conversations/agent/model';
import type { ApiError } from './model-errors';

/** The name of the output limit at a server of chat completions. */
export type OutputLimit = 'max_tokens' | 'max_completion_tokens';

/** A model request, independent of the API. */
export type Asking = Pick<ModelRequest, 'agent' | 'items' | 'cache'> & {
  outputLimit?: OutputLimit;
  /** Whether the server enforces a JSON schema. */
  structuredOutput?: boolean;
  /** What has come of a reply that goes on, in the API's form. */
  begun?: object[];
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
  /** Returns what has come of the reply if the provider has paused it: the request is repeated with that. */
  paused?(): object[] | undefined;
}

/** How a server is reached. `timeout` is in milliseconds. */
export interface Connection {
  apiKey: string;
  baseURL?: string;
  headers?: Record<string, string>;
  query?: Record<string, string>;
  timeout: number;
}

/** An API, by the SDK of its maker: converts a transcript to its request format, and its response back. */
export interface Api {
  /** @throws what the SDK throws. */
  open(connection: Connection, asking: Asking, signal: AbortSignal): Promise<AsyncIterable<unknown>>;
  collector(onText: (piece: string) => void): Collector;
  /** Whether an error is the SDK's. Another one, for example about an invalid header, never reached the server. */
  isFailure(error: unknown): boolean;
  /** Returns the price of a request, if it is not that of the model. */
  price?(price: Price, asking: Asking): Price;
  /** Returns the error that an event inside the stream reports, in the form that `modelError` reads. */
  failureIn(event: unknown): ApiError | undefined;
}
