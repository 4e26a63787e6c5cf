import {
  BedrockRuntimeClient,
  BedrockRuntimeServiceException,
  ConverseStreamCommand,
} from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { retryAfter } from 'vigil-client/shared';
import type { Item } from '../../core/base/content/items';
import { withCachePrices } from '../../core/base/models/cache-facts';
import { priceOf } from '../../core/base/models/price-list';
import { ModelRejected, ModelThrottled, ModelUnavailable } from '../../core/base/text/errors';
import type { Model } from '../../core/conversations/agent/model';
import type { Prices } from '../../core/conversations/agent/prices';
import type { MediaLimits } from '../../lambdas/models/file-plan';
import { conversationTooLong, ThoughtsRefused, unreadableThoughts } from '../../lambdas/models/model-errors';
import type { ModelModule } from '../../lambdas/models/module';
import { providerWords } from '../../lambdas/models/provider-words';
import { ofFiles } from '../../lambdas/models/refused-files';
import { type Ask, eventsOf, replied } from '../../lambdas/models/replied';
import { mediaOf, shownItems } from '../../lambdas/models/shown-files';
import { tooLongIn } from '../../lambdas/models/too-long';
import { requestOf } from './converse';
import { ConverseReply } from './converse-reply';
import type { BedrockSpec } from './provider';

/** Reasoning models can be silent for as long as the function runs. */
const silenceMs = 870_000;

const mb = 1_000_000;

/**
 * Bedrock's limits: 5 documents of 4.5 MB, and 20 pictures of 3.75 MB; Claude's 100 pages. See
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html
 */
const limits: MediaLimits = {
  images: 20,
  pdfs: 5,
  pages: 100,
  imageBytes: 3.75 * mb,
  pdfBytes: 4.5 * mb,
  bytes: 14 * mb,
};

/** The models of Amazon Bedrock. */
export const inModel: ModelModule<BedrockSpec> = {
  name: 'bedrock',
  kinds: ['bedrock'],
  open: (provider, { prices }) => bedrockModel(provider, prices),
};

/** Creates the models of Amazon Bedrock. The function's role replaces a key. */
export function bedrockModel({ name, region }: { name: string; region?: string }, prices: Prices = {}): Model {
  // HTTP/1.1, because streams gain nothing from sharing a connection.
  const requestHandler = new NodeHttpHandler({ connectionTimeout: 10_000, socketTimeout: silenceMs });
  const client = new BedrockRuntimeClient({ requestHandler, maxAttempts: 1, ...(region && { region }) });
  const priceAt = (model: string) => withCachePrices(priceOf(model, prices), model);
  return {
    about: ({ model: { name: model } }) => ({ model, maker: `${name} converse ${model}`, price: priceAt(model) }),
    async reply({ agent, items, readFile, reading, cache, signal, onText }) {
      const { name: model } = agent.model;
      let sent = items;
      const failureOf = (error: unknown) => {
        if (signal.aborted) return new ModelUnavailable('The model call ran out of time.');
        const mapped = bedrockError(error, model, sent);
        return ofFiles(mapped, (error as Error).message, sent.flatMap(mediaOf), () =>
          requestOf({ agent, items: sent }),
        );
      };
      const ask: Ask = async (asked) => {
        sent = await shownItems({ agent, items: asked.items, readFile, reading }, limits, asked);
        const collected = new ConverseReply(asked.onText, agent.model.guardrail?.id);
        const opening = streamOf(client, requestOf({ agent: asked.agent, items: sent, cache }), signal);
        for await (const event of eventsOf(opening, failureOf)) collected.add(event);
        // An aborted stream may end without an error.
        if (signal.aborted) throw failureOf(signal.reason);
        return collected.finish();
      };
      return replied({ agent, items, reading, onText }, priceAt(model), ask);
    },
  };
}

async function streamOf(client: BedrockRuntimeClient, request: ReturnType<typeof requestOf>, abortSignal: AbortSignal) {
  const { stream } = await client.send(new ConverseStreamCommand(request), { abortSignal });
  return stream!;
}

/** The keys of the deployment are wrong or have expired. */
const refusedKeys = ['UnrecognizedClientException', 'InvalidClientTokenId', 'ExpiredTokenException'];
const busy = ['ThrottlingException', 'ModelNotReadyException', 'TooManyRequestsException'];
const down = [
  'InternalServerException',
  'ServiceUnavailableException',
  'ModelTimeoutException',
  'ModelErrorException',
  'ModelStreamErrorException',
];

/** Maps an error by its name, because an error inside a stream has no status. */
function bedrockError(error: unknown, model: string, items: readonly Item[]): Error {
  const options = { cause: error };
  const { name, message } = error as Error;
  // A proxy may not name its errors.
  const { httpStatusCode: status = 0 } = (error as Partial<BedrockRuntimeServiceException>).$metadata ?? {};
  const headers = (error as Partial<BedrockRuntimeServiceException>).$response?.headers as Record<string, string>;
  const passing = { ...options, notBefore: retryAfter((header) => headers?.[header], new Date()) };
  if (busy.includes(name) || status === 429) return new ModelThrottled('Amazon Bedrock is busy.', passing);
  if (down.includes(name) || status >= 500) return new ModelUnavailable(`Amazon Bedrock failed (${name}).`, passing);
  if (name === 'ServiceQuotaExceededException')
    return new ModelThrottled('A quota of Amazon Bedrock is used up.', { ...passing, isLasting: true });
  if (!(error instanceof BedrockRuntimeServiceException))
    return new ModelUnavailable('The connection to Amazon Bedrock was lost.', options);
  const lasting = { ...options, isLasting: true };
  if (name === 'AccessDeniedException' || refusedKeys.includes(name))
    return new ModelRejected(`Amazon Bedrock does not allow this function to use the model "${model}".`, lasting);
  if (name === 'ResourceNotFoundException' || /\bmodel identifier is invalid\b/i.test(message))
    return new ModelRejected(`Amazon Bedrock does not know the model "${model}".`, lasting);
  const tooLong = tooLongIn({ message });
  if (tooLong) return conversationTooLong(model, tooLong, error);
  if (unreadableThoughts.test(message))
    return new ThoughtsRefused("Amazon Bedrock cannot read its model's encrypted reasoning.", options);
  const said = providerWords({ message }, items, '');
  return new ModelRejected(`Amazon Bedrock rejected the request (${name})${said && `: ${said}`}.`, options);
}
