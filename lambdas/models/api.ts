import type { ModelRequest, Reply } from '../../core/conversations/agent/model';
import type { MediaLimits } from './file-plan';
import type { ApiError } from './model-errors';

/** The name of the output limit at a server of chat completions. */
export type OutputLimit = 'max_tokens' | 'max_completion_tokens';

/** A model request, independent of the API. */
export type Asking = Pick<ModelRequest, 'agent' | 'items' | 'cache'> & {
  outputLimit?: OutputLimit;
  /** Whether the server enforces a JSON schema. */
  structuredOutput?: boolean;
  /** Whether the server makes the reply in the background. */
  inBackground?: boolean;
  /** What has come of a reply that goes on, in the API's form. */
  begun?: object[];
  /** Whether the server takes OpenAI's fields for its cache. */
  cacheFields?: boolean;
};

/** A server's counts of a call's tokens. What it does not count, or counts wrongly, is absent. */
export interface Counts {
  /** Cached tokens included. */
  input?: number;
  output?: number;
  cached?: number;
  written?: number;
  /** The part of `written` that is kept for an hour. */
  writtenForHour?: number;
  reasoning?: number;
}

/** A complete reply, as `collected` makes it. */
export type Collected = Reply & { counts?: Counts; remoteFiles?: RemoteFile[] };

/** A file of a reply that its provider keeps, by its path at the provider's address. */
export interface RemoteFile {
  path: string;
  filename?: string;
}

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
  /** What a request may have of files. */
  limits: MediaLimits;
  /** Returns the request as it is sent. */
  requestOf(asking: Asking): object;
  /** @throws what the SDK throws. */
  open(connection: Connection, asking: Asking, signal: AbortSignal): Promise<AsyncIterable<unknown>>;
  /** Asks for the bytes of a reply's file, where the API keeps any. @throws what the SDK throws. */
  fileContent?(connection: Connection, path: string, signal: AbortSignal): Promise<Response>;
  /** For replies in the background, where the API has them. */
  background?: InBackground;
  collector(onText: (piece: string) => void): Collector;
  /** Whether an error is the SDK's. Another one, for example about an invalid header, never reached the server. */
  isFailure(error: unknown): boolean;
  /** Returns the error that an event inside the stream reports, in the form that `modelError` reads. */
  failureIn(event: unknown): ApiError | undefined;
}

/** Replies that a server makes in the background. All methods throw what the SDK throws. */
interface InBackground {
  /** Returns the id of the reply that an event tells. */
  idIn(event: unknown): string | undefined;
  /** Follows a reply from its beginning. */
  resume(
    connection: Connection,
    reply: { id: string; asking: Asking },
    signal: AbortSignal,
  ): Promise<AsyncIterable<unknown>>;
  /** @returns what the reply has used, if the server says so. */
  cancel(connection: Connection, id: string, signal: AbortSignal): Promise<Counts | undefined>;
}
