import OpenAI from 'openai';
import { Stream } from 'openai/core/streaming';
import type { Connection } from './api';
import { eventsIn } from './events';

/** Creates a client of the openai SDK. It makes no retries, see `openaiModel`. */
export const openaiClient = ({ apiKey, baseURL, timeout, headers: defaultHeaders, query: defaultQuery }: Connection) =>
  new OpenAI({
    ...{ apiKey, baseURL, timeout, defaultHeaders, defaultQuery },
    ...{ maxRetries: 0, logLevel: 'off' },
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
