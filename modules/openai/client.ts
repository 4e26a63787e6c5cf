import OpenAI from 'openai';
import { Stream } from 'openai/core/streaming';
import type { Connection } from '../../lambdas/models/api';
import { eventsIn } from '../../lambdas/models/events';
import type { MediaLimits } from '../../lambdas/models/file-plan';

/** Creates a client of the openai SDK. It makes no retries, see `serverModel`. */
export const openaiClient = ({ apiKey, baseURL, timeout, headers: defaultHeaders, query: defaultQuery }: Connection) =>
  new OpenAI({
    apiKey,
    baseURL,
    timeout,
    defaultHeaders,
    defaultQuery,
    maxRetries: 0,
    logLevel: 'off',
  });

/** Sends a request by the openai SDK. */
export async function openaiEvents(
  connection: Connection,
  ask: (client: OpenAI) => { asResponse(): Promise<Response> },
): Promise<AsyncIterable<unknown>> {
  const client = openaiClient(connection);
  const response = await ask(client).asResponse();
  return eventsIn(response, (events) => Stream.fromSSEResponse(events, new AbortController(), client));
}

export const isOpenaiFailure = (error: unknown): boolean => error instanceof OpenAI.APIError;

const mb = 1_000_000;

/**
 * OpenAI takes 50 MB of documents and more of pictures in a request. CallModel keeps a request three times in its memory, so 15 MB are the most
 * here, and other servers of these APIs take less than OpenAI.
 */
export const openaiLimits: MediaLimits = {
  images: 40,
  pdfs: 10,
  pages: 100,
  imageBytes: 10 * mb,
  pdfBytes: 15 * mb,
  bytes: 15 * mb,
};
