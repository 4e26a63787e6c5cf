import { BaseAnthropic } from '@anthropic-ai/sdk/client';
import { APIError } from '@anthropic-ai/sdk/core/error';
import { Stream } from '@anthropic-ai/sdk/core/streaming';
import type { Model } from '../../core/conversations/agent/model';
import type { Prices } from '../../core/conversations/agent/prices';
import { requestOf } from './anthropic';
import { AnthropicReply } from './anthropic-reply';
import type { Api, Connection } from './api';
import { eventsIn } from './events';
import { failureOf } from './model-errors';
import type { ModelKey } from './model-key';
import { type Server, serverModel } from './openai-model';

const ofAnthropic = 'https://api.anthropic.com';

/** The client without its resources, which would be four times as large. Its key and its address are never those of the environment. */
const clientOf = ({ apiKey, baseURL = ofAnthropic, headers: defaultHeaders, timeout }: Connection) =>
  new BaseAnthropic({
    ...{ apiKey, authToken: null, baseURL, defaultHeaders, timeout },
    ...{ maxRetries: 0, logLevel: 'off', openTelemetry: false },
  });

/** Anthropic's Messages API. */
const messages: Api = {
  async open(connection, asking, signal) {
    const client = clientOf(connection);
    const body = requestOf(asking);
    const response = await client.post('/v1/messages', { body, stream: true, signal }).asResponse();
    return eventsIn(response, (events) => Stream.fromSSEResponse(events, new AbortController(), client));
  },
  collector: (onText) => new AnthropicReply(onText),
  failureIn: failureOf,
  isFailure: (error) => error instanceof APIError,
  // A cache that lasts an hour costs twice the input.
};

/** Creates the models of Anthropic, or of a server with its Messages API. */
export const anthropicModel = (key: ModelKey, server: Server, prices: Prices = {}): Model =>
  serverModel(key, messages, { ...server, api: 'messages' }, prices);
