import { deployedProvider } from '../../core/base/models/kinds';
import { priceOf } from '../../core/base/models/price-list';
import { ModelUnavailable } from '../../core/base/text/errors';
import type { Model } from '../../core/conversations/agent/model';
import { type Prices, priced } from '../../core/conversations/agent/prices';
import { mostFiles } from '../../core/conversations/files/references';
import type { Api, Asking, Collected, Collector, Connection, OutputLimit } from './api';
import { done } from './events';
import { Following, isInBackground } from './in-background';
import { type ApiError, fieldOf, messageOf, modelError, statusOf } from './model-errors';
import type { ModelKey } from './model-key';
import { providerWords } from './provider-words';
import { ofFiles } from './refused-files';
import { fetchedFiles } from './remote-files';
import { type Ask, eventsOf, replied, usageOf } from './replied';
import { mediaOf, shownItems } from './shown-files';

/** The longest silence of a server that has begun to speak. Before that, a model may think for as long as the function runs. */
const silenceMs = 240_000;
const thinkingMs = 870_000;
/** To tell a provider that nobody waits for a reply. */
const cancelMs = 10_000;

export interface Server extends Pick<Connection, 'baseURL' | 'headers' | 'query'> {
  /** The provider's name. */
  name?: string;
}

/** A server, and what its API needs to know of it. */
export interface ServerOptions extends Server {
  /** The name of its API, as part of the maker's. */
  api: string;
  /** See `ProviderSpec`. */
  outputLimit?: OutputLimit;
  structuredOutput?: boolean;
  cacheFields?: boolean;
  webhookSecret?: string;
}

/**
 * Creates the models of a server. It makes no retries: the state machine retries with backoff, so no billed function waits.
 *
 * Errors of the SDK are failures of the server. Other errors are bugs and are not mapped.
 */
export function serverModel(
  key: ModelKey,
  by: Api,
  { name = deployedProvider, api, baseURL, headers, query, webhookSecret, ...more }: ServerOptions,
  prices: Prices,
): Model {
  const exchange = exchangeBy(by);
  const priceAt = (model: string) => priceOf(model, prices, baseURL);
  const reached = async (): Promise<Connection> => ({
    apiKey: await key.get(),
    baseURL,
    headers,
    query,
    timeout: thinkingMs,
  });
  const cancel = async (connection: Connection, id: string) =>
    by.background?.cancel(connection, id, AbortSignal.timeout(cancelMs));
  return {
    async cancel({ id, model, expected }) {
      const counts = await cancel(await reached(), id);
      return { ...priced(usageOf(counts, expected), priceAt(model)), modelCalls: 1 };
    },
    about: ({ model: { name: model } }) => ({ model, maker: `${name} ${api} ${model}`, price: priceAt(model) }),
    async reply({ agent, items, readFile, reading, fileBytes: most, cache, signal, onText, background }) {
      const { name: model } = agent.model;
      const connection = await reached();
      const { apiKey } = connection;
      const silence = new AbortController();
      let timer = setTimeout(() => silence.abort(), thinkingMs);

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
        const mapped = modelError(error, model, (body) => providerWords(body, sent, apiKey));
        const said = `${fieldOf(error as ApiError)} ${messageOf(error)}`;
        return ofFiles(mapped, said, sent.flatMap(mediaOf), () => by.requestOf({ ...asking, items: sent }));
      }

      let sent = items;
      let hasSpoken = false;
      const wordsReceived = () => {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), hasSpoken ? silenceMs : thinkingMs);
      };
      const asking: Asking = { ...more, agent, items, cache };
      // If the provider refuses the model's thoughts, the second request gets its reply at once.
      let following =
        background && by.background && isInBackground(agent.model, baseURL === undefined)
          ? new Following(background, { name, isTold: webhookSecret !== undefined }, (id) => cancel(connection, id))
          : undefined;
      const ask: Ask = async (asked): Promise<Collected> => {
        const follows = following;
        following = undefined;
        // A reply that is only fetched has read them.
        if (!follows?.fetched)
          sent = await shownItems({ agent, items: asked.items, readFile, reading }, by.limits, asked);
        const spoken = (piece: string) => {
          hasSpoken = true;
          wordsReceived();
          follows?.spoken();
          asked.onText(piece);
        };
        const either = AbortSignal.any([signal, silence.signal, ...(follows ? [follows.signal] : [])]);
        const exchanged = await exchange(
          connection,
          { ...asking, agent: asked.agent, items: sent, ...(follows && { inBackground: true }) },
          { signal: either, onText: spoken, heard: wordsReceived, failureOf, follows },
        ).finally(() => follows?.close());
        // An aborted stream ends without an error.
        const cut = cutOff();
        if (cut || follows?.signal.aborted) throw follows?.failure(cut) ?? cut;
        const { remoteFiles: remote = [], files = [], ...collected } = exchanged.finish();
        const open = (path: string, until: AbortSignal) => by.fileContent!(connection, path, until);
        const room = mostFiles - files.length;
        const made = [...files, ...(await fetchedFiles(remote, { most, room, open, signal }))];
        return made.length > 0 ? { ...collected, files: made } : collected;
      };
      return replied({ agent, items, reading, onText }, priceAt(model), ask).finally(() => clearTimeout(timer));
    },
  };
}

interface Exchange {
  signal: AbortSignal;
  onText: (piece: string) => void;
  /** Called for every event of the stream. */
  heard: () => void;
  failureOf: (error: unknown) => Promise<Error>;
  follows?: Following;
}

/** Sends the request, again while the provider pauses the reply, and collects that. Errors of the collector are not mapped. */
const exchangeBy =
  (api: Api) =>
  async (
    connection: Connection,
    asking: Asking,
    { signal, onText, heard, failureOf, follows }: Exchange,
  ): Promise<{ finish(): Collected }> => {
    const collected = api.collector(onText);
    let isDone = false;
    const lost = async (error: unknown) => follows?.failure(error) ?? failureOf(error);
    const refusal = (error: unknown) => (api.isFailure(error) ? lost(error) : error);
    let begun: object[] | undefined;
    do {
      isDone = false;
      const fetched = follows?.fetched;
      const opening = fetched
        ? api.background!.resume(connection, { id: fetched, asking }, signal)
        : api.open(connection, { ...asking, begun }, signal);
      for await (const event of eventsOf(opening, lost, refusal)) {
        heard();
        if (event === done) {
          isDone = true;
          break;
        }
        const failure = api.failureIn(event);
        if (failure) throw await failureOf(failure);
        await follows?.heard(() => api.background?.idIn(event));
        collected.add(event);
      }
      begun = collected.paused?.();
    } while (begun && !signal.aborted);
    return { finish: () => finished(collected, isDone, follows) };
  };

/** A reply in the background whose stream ends too early goes on. */
function finished(collected: Collector, isDone: boolean, follows: Following | undefined): Collected {
  try {
    return collected.finish(isDone);
  } catch (error) {
    throw ((error as Error).name === 'ModelUnavailable' && follows?.failure(error)) || error;
  }
}
