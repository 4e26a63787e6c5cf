import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { baseUrlVariable, deployedApi, deployedProvider, type Provider } from '../../core/base/models/provider';
import { ConfigurationError } from '../../core/base/text/errors';
import type { Agent } from '../../core/conversations/agent/agent';
import type { Model } from '../../core/conversations/agent/model';
import { optionalVariable } from '../../runtime/environment';
import { deployedPrices } from '../../runtime/prices';
import { accessToken } from './access-token';
import type { anthropicModel } from './anthropic-model';
import type { bedrockModel } from './bedrock-model';
import { modelKey, noKey } from './model-key';
import { type OpenaiServer, openaiModel, type Server } from './openai-model';

/** Opens the models of providers whose client is in no other bundle than those that need it. */
export interface Clients {
  anthropic?: typeof anthropicModel;
  bedrock?: typeof bedrockModel;
}

/**
 * Creates the models of this deployment. Agents without a provider use the server of OPENAI_BASE_URL. With VIGIL_MODEL, all agents
 * use that model there.
 */
export function deployedModel(
  providers: ReadonlyMap<string, Provider>,
  secrets: SecretsManagerClient,
  { anthropic, bedrock }: Clients = {},
): Model {
  const override = optionalVariable('VIGIL_MODEL');
  const priceList = deployedPrices();
  const known = new Map(
    [...providers.values()].map((provider) => {
      if (provider.kind === 'bedrock') return [provider.name, bundled(provider, bedrock)(provider, priceList)];
      const key = provider.key ? modelKey(secrets, `${provider.key}_SECRET_ARN`, provider.name) : noKey;
      if (provider.kind === 'anthropic')
        return [provider.name, bundled(provider, anthropic)(key, addressOf(provider), priceList)];
      const granted = provider.oauth ? accessToken(key, provider.oauth, provider.name) : key;
      return [provider.name, openaiModel(granted, serverOf(provider), priceList)];
    }),
  );
  const others = openaiModel(modelKey(secrets, 'MODEL_KEY_SECRET_ARN'), serverOfDeployment(), priceList);
  const overridden = <One extends Agent>(agent: One): One =>
    override ? { ...agent, model: { name: override } } : agent;
  const modelOf = ({ model: { provider } }: Agent) => (provider && known.get(provider.name)) ?? others;
  return {
    about: (agent) => modelOf(overridden(agent)).about(overridden(agent)),
    async cancel(reply) {
      const opened = reply.provider === deployedProvider ? others : known.get(reply.provider);
      if (!opened?.cancel) throw new ConfigurationError(`provider ${reply.provider}: it is no longer deployed.`);
      return opened.cancel(reply);
    },
    reply: (request) =>
      modelOf(overridden(request.agent))
        .reply({ ...request, agent: overridden(request.agent) })
        .catch((error: Error) => {
          // A provider without a key, for example: another one may have its key.
          throw error.name === 'ConfigurationError' ? Object.assign(error, { isLasting: true }) : error;
        }),
  };
}

function bundled<Open>({ name, kind }: Provider, open: Open | undefined): Open {
  if (open) return open;
  throw new ConfigurationError(`provider ${name}: this function was bundled without the client of "${kind}".`);
}

const addressOf = ({ name, baseUrl, headers }: Exclude<Provider, { kind: 'bedrock' }>): Server => ({
  name,
  headers,
  baseURL: optionalVariable(baseUrlVariable(name)) ?? baseUrl,
});

function serverOf(provider: Exclude<Provider, { kind: 'anthropic' | 'bedrock' }>): OpenaiServer {
  const { name: _, kind, baseUrl, headers, oauth, key, ...more } = provider;
  return { ...addressOf(provider), api: kind === 'chat' ? 'chat' : 'responses', ...more };
}

function serverOfDeployment(): OpenaiServer {
  const baseURL = optionalVariable('OPENAI_BASE_URL');
  const api = optionalVariable('VIGIL_MODEL_API');
  if (api !== undefined && api !== 'responses' && api !== 'chat')
    throw new ConfigurationError(`VIGIL_MODEL_API is "${api}": it must be "responses" or "chat".`);
  return { name: deployedProvider, baseURL, api: deployedApi(baseURL, api) };
}
