import { urlIn } from '../../core/base/text/web-address';
import type { Model } from '../../core/conversations/agent/model';
import type { Prices } from '../../core/conversations/agent/prices';
import type { ModelKey } from '../../lambdas/models/model-key';
import type { ModelModule } from '../../lambdas/models/module';
import { type ServerOptions, serverModel } from '../../lambdas/models/server-model';
import { accessToken } from './access-token';
import { chat } from './chat';
import type { ChatSpec, OpenaiSpec } from './provider';
import { responses } from './responses';

/** The models of servers with one of OpenAI's two APIs. */
export const inModel: ModelModule<OpenaiSpec | ChatSpec> = {
  name: 'openai',
  kinds: ['openai', 'chat'],
  open({ name, kind, baseUrl: _, key: __, oauth, ...more }, { key, baseURL, prices }) {
    const granted = oauth ? accessToken(key, oauth, name) : key;
    return openaiModel(granted, { name, baseURL, api: kind === 'chat' ? 'chat' : 'responses', ...more }, prices);
  },
};

export interface OpenaiServer extends Omit<ServerOptions, 'api'> {
  /** The API that the server supports. */
  api?: 'responses' | 'chat';
}

/** Creates the models of a server with one of OpenAI's APIs. */
export function openaiModel(
  key: ModelKey,
  { api = 'chat', cacheFields, ...server }: OpenaiServer = {},
  prices: Prices = {},
): Model {
  const known = cacheFields ?? (takesCacheFields(server.baseURL) || undefined);
  return serverModel(key, api === 'responses' ? responses : chat, { ...server, api, cacheFields: known }, prices);
}

/** Other servers may reject a field that they do not know. */
const takeCacheFields =
  /(?:^|\.)(?:openai\.com|openai\.azure\.com|services\.ai\.azure\.com|cognitiveservices\.azure\.com)$/;

/** Whether the server at an address is known to take OpenAI's fields for its cache. */
export const takesCacheFields = (baseURL = 'https://api.openai.com'): boolean =>
  takeCacheFields.test(urlIn(baseURL)?.hostname ?? '');
