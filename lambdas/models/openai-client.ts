import OpenAI from 'openai';
import { Stream } from 'openai/core/streaming';
import type { Connection } from './api';
import { eventsIn } from './events';

/** Sends a request by the openai SDK. It makes no retries, see `openaiModel`. */
export async function openaiEvents(
  { apiKey, baseURL, timeout, headers: defaultHeaders, query: defaultQuery }: Connection,
  ask: (client: OpenAI) => { asResponse(): Promise<Response> },
): Promise<AsyncIterable<unknown>> {
  const client = new OpenAI({
    ...{ apiKey, baseURL, timeout, defaultHeaders, defaultQuery },
    ...{ maxRetries: 0, logLevel: 'off' },
  });
  const response = await ask(client).asResponse();
  return eventsIn(response, (events) => Stream.fromSSEResponse(events, new AbortController(), client));
}

export const isOpenaiFailure = (error: unknown): boolean => error instanceof OpenAI.APIError;
