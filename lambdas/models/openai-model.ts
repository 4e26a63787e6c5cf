import { deployedProvider } from '../../core/base/models/provider';
import type { Item } from '../../core/base/state/items';
import { ModelUnavailable } from '../../core/base/text/errors';
import type { Model } from '../../core/conversations/agent/model';
import type { Prices } from '../../core/conversations/agent/prices';
import type { Api, Asking, Collected, Connection, OutputLimit } from './api';
import { chat } from './chat';
import { done } from './events';
import { modelError, statusOf } from './model-errors';
import type { ModelKey } from './model-key';
import { providerWords } from './provider-words';
import { eventsOf, replied } from './replied';
import { responses } from './responses';

/** The longest silence of a server. Reasoning models can be silent for minutes. The function's deadline limits the whole call. */
const silenceMs = 240_000;

export interface Server extends Pick<Connection, 'baseURL' | 'headers' | 'query'> {
  /** The provider's name. */
  name?: string;
}

export interface OpenaiServer extends Server {
  /** The API that the server supports. */
  api?: 'responses' | 'chat';
  /** See `ProviderSpec`. */
  outputLimit?: OutputLimit;
  structuredOutput?: boolean;
}

/** Creates the models of a server with one of OpenAI's APIs. */
export const openaiModel = (
  key: ModelKey,
  { api = 'chat', ...server }: OpenaiServer = {},
  prices: Prices = {},
): Model => serverModel(key, api === 'responses' ? responses : chat, { ...server, api }, prices);

/**
 * Creates the models of a server. It makes no retries: the state machine retries with backoff, so no billed function waits.
 *
 * Errors of the SDK are failures of the server. Other errors are bugs and are not mapped.
 */
export function serverModel(
  key: ModelKey,
  by: Api,
  { name = deployedProvider, api, baseURL, headers, query, ...more }: Omit<OpenaiServer, 'api'> & { api: string },
  prices: Prices,
): Model {
  const exchange = exchangeBy(by);
  return {
    about: ({ model: { name: model } }) => ({ model, maker: `${name} ${api} ${model}`, price: prices[model] }),
    async reply({ agent, items, cache, signal, onText }) {
      const { name: model } = agent.model;
      const apiKey = await key.get();
      const connection = { apiKey, baseURL, headers, query, timeout: silenceMs };
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
      const asking: Asking = { agent, items, cache, ...more };
      const either = AbortSignal.any([signal, silence.signal]);
      const ask = async (read: Item[]): Promise<Collected> => {
        const exchanged = await exchange(
          connection,
          { ...asking, items: read },
          { signal: either, onText, heard: wordsReceived, failureOf },
        );
        // An aborted stream ends without an error.
        const cut = cutOff();
        if (cut) throw cut;
        return exchanged.finish();
      };
      const price = prices[model] && (by.price?.(prices[model], asking) ?? prices[model]);
      return replied({ agent, items }, price, ask).finally(() => clearTimeout(timer));
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

/** Sends the request, again while the provider pauses the reply, and collects that. Errors of the collector are not mapped. */
const exchangeBy =
  (api: Api) =>
  async (
    connection: Connection,
    asking: Asking,
    { signal, onText, heard, failureOf }: Exchange,
  ): Promise<{ finish(): Collected }> => {
    const collected = api.collector(onText);
    const refusal = (error: unknown) => (api.isFailure(error) ? failureOf(error) : error);
    let isDone = false;
    let begun: object[] | undefined;
    do {
      isDone = false;
      const opening = api.open(connection, { ...asking, begun }, signal);
      for await (const event of eventsOf(opening, failureOf, refusal)) {
        heard();
        if (event === done) {
          isDone = true;
          break;
        }
        const failure = api.failureIn(event);
        if (failure) throw await failureOf(failure);
        collected.add(event);
      }
      begun = collected.paused?.();
    } while (begun && !signal.aborted);
    return { finish: () => collected.finish(isDone) };
  };
