import OpenAI from 'openai';
import { deployedProvider } from '../../core/base/models/provider';
import type { Item } from '../../core/base/state/items';
import { ModelUnavailable } from '../../core/base/text/errors';
import type { Model } from '../../core/conversations/agent/model';
import type { Prices } from '../../core/conversations/agent/prices';
import type { Api, Asking, Collected, OutputLimit } from './api';
import { chat } from './chat';
import { done, eventsIn } from './events';
import { modelError, statusOf } from './model-errors';
import type { ModelKey } from './model-key';
import { providerWords } from './provider-words';
import { eventsOf, replied } from './replied';
import { responses } from './responses';

/** The longest silence of a server. Reasoning models can be silent for minutes. The function's deadline limits the whole call. */
const silenceMs = 240_000;

export interface OpenaiServer {
  /** The provider's name. */
  name?: string;
  baseURL?: string;
  /** The API that the server supports. */
  api?: 'responses' | 'chat';
  headers?: Record<string, string>;
  query?: Record<string, string>;
  /** See `ProviderSpec`. */
  outputLimit?: OutputLimit;
  structuredOutput?: boolean;
}

/**
 * Creates the models of a server with one of OpenAI's APIs. It makes no retries: the state machine retries with backoff, so no
 * billed function waits.
 *
 * Errors of the SDK are failures of the server. Other errors are bugs and are not mapped.
 */
export function openaiModel(
  key: ModelKey,
  { name = deployedProvider, baseURL, api = 'chat', headers, query, ...more }: OpenaiServer = {},
  prices: Prices = {},
): Model {
  const exchange = exchangeBy(api === 'responses' ? responses : chat);
  return {
    about: ({ model: { name: model } }) => ({ model, maker: `${name} ${api} ${model}`, price: prices[model] }),
    async reply({ agent, items, signal, onText }) {
      const { name: model } = agent.model;
      const apiKey = await key.get();
      const client = new OpenAI({
        apiKey,
        baseURL,
        maxRetries: 0,
        timeout: silenceMs,
        logLevel: 'off',
        defaultHeaders: headers,
        defaultQuery: query,
      });
      const silence = new AbortController();
      let timer = setTimeout(() => silence.abort(), silenceMs);

      const cutOff = () => {
        if (signal.aborted) return new ModelUnavailable('The model call ran out of time.');
        if (!silence.signal.aborted) return undefined;
        return new ModelUnavailable(`The model's server was silent for ${silenceMs / 1000} s.`);
      };
      async function failureOf(error: unknown): Promise<Error> {
        const cut = cutOff();
        if (cut) return cut;
        if (statusOf(error) === 401 && (await key.replaced(apiKey))) {
          return new ModelUnavailable("The model's server refused the key (401); the secret now has another one.");
        }
        return modelError(error, model, (body) => providerWords(body, items, apiKey));
      }

      const wordsReceived = () => {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), silenceMs);
      };
      const asking = { agent, items, ...more };
      const either = AbortSignal.any([signal, silence.signal]);
      const ask = async (read: Item[]): Promise<Collected> => {
        const exchanged = await exchange(
          client,
          { ...asking, items: read },
          { signal: either, onText, heard: wordsReceived, failureOf },
        );
        // An aborted stream ends without an error.
        const cut = cutOff();
        if (cut) throw cut;
        return exchanged.finish();
      };
      return replied({ agent, items }, prices[model], ask).finally(() => clearTimeout(timer));
    },
  };
}

interface Exchange {
  signal: AbortSignal;
  onText: (piece: string) => void;
  /** Called for every event of the stream. */
  heard: () => void;
  failureOf: (error: unknown) => Promise<Error>;
}

/** Sends the request and collects the reply. Errors of the collector are not mapped. */
const exchangeBy =
  (api: Api) =>
  async (
    client: OpenAI,
    asking: Asking,
    { signal, onText, heard, failureOf }: Exchange,
  ): Promise<{ finish(): Collected }> => {
    const collected = api.collector(onText);
    let isDone = false;
    const opening = api.open(client, asking, signal).then((response) => eventsIn(response, client));
    for await (const event of eventsOf(opening, failureOf, refusalOf(failureOf))) {
      heard();
      if (event === done) {
        isDone = true;
        break;
      }
      const failure = api.failureIn(event);
      if (failure) throw await failureOf(failure);
      collected.add(event);
    }
    return { finish: () => collected.finish(isDone) };
  };

/** An error that is not the SDK's, for example about an invalid header, never reached the server. */
const refusalOf = (failureOf: Exchange['failureOf']) => (error: unknown) =>
  error instanceof OpenAI.APIError ? failureOf(error) : error;
