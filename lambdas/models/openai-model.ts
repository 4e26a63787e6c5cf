import OpenAI from 'openai';
import type { Model } from '../../core/agent/model';
import type { Prices } from '../../core/agent/prices';
import { deployedProvider } from '../../core/models/provider';
import type { Item } from '../../core/state/items';
import { ModelUnavailable } from '../../core/text/errors';
import type { Api, Asking, Collected, Collector, OutputLimit } from './api';
import { chat } from './chat';
import { modelError, statusOf } from './model-errors';
import type { ModelKey } from './model-key';
import { providerWords } from './provider-words';
import { eventsOf, replied } from './replied';
import { responses } from './responses';

/**
 * How long the server may be silent before we give up on it. Reasoning models think for minutes without a word; what they
 * may take in all is the Lambda's deadline.
 */
const silenceMs = 240_000;

export interface OpenaiServer {
  /** The provider's. */
  name?: string;
  baseURL?: string;
  /** Which of the SDK's APIs the server speaks. */
  api?: 'responses' | 'chat';
  headers?: Record<string, string>;
  query?: Record<string, string>;
  /** See `ProviderSpec`. */
  outputLimit?: OutputLimit;
  structuredOutput?: boolean;
}

/**
 * A server of one of OpenAI's APIs. No retries here: the state machine retries, with backoff, and nothing waits in a Lambda
 * that is paid for.
 *
 * Only what the SDK throws is a failure of the server; whatever else goes wrong is ours, and passes as it is.
 */
export function openaiModel(
  key: ModelKey,
  { name = deployedProvider, baseURL, api = 'chat', headers, query, ...more }: OpenaiServer = {},
  prices: Prices = {},
): Model {
  const exchange = api === 'responses' ? exchangeBy(responses) : exchangeBy(chat);
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
          return new ModelUnavailable("The model's server refused the key (401); the secret holds another one by now.");
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

type Answer = Pick<Collector<unknown>, 'finish'>;

interface Exchange {
  signal: AbortSignal;
  onText: (piece: string) => void;
  /** Called for all that comes over the wire. */
  heard: () => void;
  failureOf: (error: unknown) => Promise<Error>;
}

/** Asks, and collects the answer. An error of its reader is not the server's, and is not mapped. */
const exchangeBy =
  <Event>(api: Api<Event>) =>
  async (client: OpenAI, asking: Asking, { signal, onText, heard, failureOf }: Exchange): Promise<Answer> => {
    const collected = api.collector(onText);
    for await (const event of eventsOf(api.open(client, asking, signal), failureOf, refusalOf(failureOf))) {
      heard();
      const failure = api.failureIn?.(event);
      if (failure) throw await failureOf(failure);
      collected.add(event);
    }
    return collected;
  };

/** A request that cannot be put into JSON or into headers never left this process. */
const refusalOf = (failureOf: Exchange['failureOf']) => (error: unknown) =>
  error instanceof OpenAI.APIError ? failureOf(error) : error;
