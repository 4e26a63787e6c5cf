import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import { listPrices, type Price } from '../../core/base/models/models';
import { baseUrlVariable, deployedProvider, type Provider } from '../../core/base/models/provider';
import { ConfigurationError } from '../../core/base/text/errors';
import type { Agent } from '../../core/conversations/agent/agent';
import type { Model } from '../../core/conversations/agent/model';
import type { Prices } from '../../core/conversations/agent/prices';
import { optionalVariable } from '../../runtime/environment';
import { accessToken } from './access-token';
import { modelKey, noKey } from './model-key';
import { type OpenaiServer, openaiModel } from './openai-model';

const dollars = z.number().min(0);
const PriceList = z.record(
  z.string(),
  z
    .union([z.tuple([dollars, dollars]), z.tuple([dollars, dollars, dollars])])
    .transform(([input, output, cached]): Price => ({ input, output, ...(cached !== undefined && { cached }) })),
);

/**
 * Returns the published prices with those of VIGIL_PRICES.
 *
 * @throws ConfigurationError if VIGIL_PRICES is not a price list.
 */
function prices(): Prices {
  const own = optionalVariable('VIGIL_PRICES');
  if (!own) return listPrices;
  try {
    return { ...listPrices, ...PriceList.parse(JSON.parse(own)) };
  } catch {
    throw new ConfigurationError(
      'VIGIL_PRICES must be JSON like {"my-model": [0.3, 1.2]}, or [0.3, 1.2, 0.03] with the price of cached input: dollars per million tokens.',
    );
  }
}

/** See `bedrockModel`. It is passed in, so only bundles that need Bedrock contain its client. */
export type OpenBedrock = (provider: { name: string; region?: string }, prices: Prices) => Model;

/**
 * Creates the models of this deployment. Agents without a provider use the server of OPENAI_BASE_URL. With VIGIL_MODEL, all agents
 * use that model there.
 */
export function deployedModel(
  providers: ReadonlyMap<string, Provider>,
  secrets: SecretsManagerClient,
  bedrock?: OpenBedrock,
): Model {
  const override = optionalVariable('VIGIL_MODEL');
  const priceList = prices();
  const known = new Map(
    [...providers.values()].map((provider) => {
      if (provider.kind === 'bedrock') return [provider.name, opened(provider)];
      const key = provider.key ? modelKey(secrets, `${provider.key}_SECRET_ARN`, provider.name) : noKey;
      const granted = provider.oauth ? accessToken(key, provider.oauth, provider.name) : key;
      return [provider.name, openaiModel(granted, serverOf(provider), priceList)];
    }),
  );
  const others = openaiModel(modelKey(secrets, 'MODEL_KEY_SECRET_ARN'), serverOfDeployment(), priceList);
  function opened(provider: { name: string; region?: string }): Model {
    if (bedrock) return bedrock(provider, priceList);
    throw new ConfigurationError(`provider ${provider.name}: this function was bundled without Bedrock.`);
  }
  const overridden = <One extends Agent>(agent: One): One =>
    override ? { ...agent, model: { name: override } } : agent;
  const modelOf = ({ model: { provider } }: Agent) => (provider && known.get(provider.name)) ?? others;
  return {
    about: (agent) => modelOf(overridden(agent)).about(overridden(agent)),
    reply: (request) => modelOf(overridden(request.agent)).reply({ ...request, agent: overridden(request.agent) }),
  };
}

function serverOf({
  name,
  kind,
  baseUrl,
  headers,
  query,
  oauth: _,
  ...more
}: Exclude<Provider, { kind: 'bedrock' }>): OpenaiServer {
  const baseURL = optionalVariable(baseUrlVariable(name)) ?? baseUrl;
  return { name, api: kind === 'chat' ? 'chat' : 'responses', baseURL, headers, query, ...more };
}

/** OpenAI's own server uses the Responses API, any other server chat completions, unless VIGIL_MODEL_API says otherwise. */
function serverOfDeployment(): OpenaiServer {
  const baseURL = optionalVariable('OPENAI_BASE_URL');
  const api = optionalVariable('VIGIL_MODEL_API');
  if (api !== undefined && api !== 'responses' && api !== 'chat')
    throw new ConfigurationError(`VIGIL_MODEL_API is "${api}": it must be "responses" or "chat".`);
  return { name: deployedProvider, baseURL, api: api ?? (isOpenai(baseURL) ? 'responses' : 'chat') };
}

const isOpenai = (baseURL = 'https://api.openai.com') =>
  URL.canParse(baseURL) && /(?:^|\.)openai\.com$/.test(new URL(baseURL).hostname);
