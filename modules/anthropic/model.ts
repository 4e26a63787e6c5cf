import { BaseAnthropic } from '@anthropic-ai/sdk/client';
import { APIError } from '@anthropic-ai/sdk/core/error';
import { Stream } from '@anthropic-ai/sdk/core/streaming';
import type { Model } from '../../core/conversations/agent/model';
import type { Prices } from '../../core/conversations/agent/prices';
import type { Api, Connection } from '../../lambdas/models/api';
import { eventsIn } from '../../lambdas/models/events';
import type { MediaLimits } from '../../lambdas/models/file-plan';
import { failureOf } from '../../lambdas/models/model-errors';
import type { ModelKey } from '../../lambdas/models/model-key';
import type { ModelModule } from '../../lambdas/models/module';
import { type Server, serverModel } from '../../lambdas/models/server-model';
import type { AnthropicSpec } from './provider';
import { AnthropicReply } from './reply';
import { requestOf } from './request';

const ofAnthropic = 'https://api.anthropic.com';

/** The client without its resources, which would be four times as large. Its key and its address are never those of the environment. */
const clientOf = ({ apiKey, baseURL = ofAnthropic, headers: defaultHeaders, timeout }: Connection) =>
  new BaseAnthropic({
    apiKey,
    authToken: null,
    baseURL,
    defaultHeaders,
    timeout,
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: false,
  });

const mb = 1_000_000;

/**
 * Anthropic's limits: 5 MB of Base64 for a picture, 2,000 pixels a side if there are more than 20 of them, 100 pages and 32 MB for a request.
 * See https://platform.claude.com/docs/en/build-with-claude/vision and …/pdf-support.
 */
const limits: MediaLimits = {
  images: 20,
  pdfs: 5,
  pages: 100,
  imageBytes: 3.75 * mb,
  pdfBytes: 15 * mb,
  bytes: 15 * mb,
};

/** Anthropic's Messages API. */
const messages: Api = {
  limits,
  requestOf,
  async open(connection, asking, signal) {
    const client = clientOf(connection);
    const body = requestOf(asking);
    const response = await client.post('/v1/messages', { body, stream: true, signal }).asResponse();
    return eventsIn(response, (events) => Stream.fromSSEResponse(events, new AbortController(), client));
  },
  collector: (onText) => new AnthropicReply(onText),
  failureIn: failureOf,
  isFailure: (error) => error instanceof APIError,
};

/** The models of servers with Anthropic's Messages API. */
export const inModel: ModelModule<AnthropicSpec> = {
  name: 'anthropic',
  kinds: ['anthropic'],
  open: ({ name, headers }, { key, baseURL, prices }) => anthropicModel(key, { name, headers, baseURL }, prices),
};

/** Creates the models of Anthropic, or of a server with its Messages API. */
export const anthropicModel = (key: ModelKey, server: Server, prices: Prices = {}): Model =>
  serverModel(key, messages, { ...server, api: 'messages' }, prices);
