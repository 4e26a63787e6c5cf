import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { deployedProvider } from '../../core/base/models/kinds';
import { baseUrlVariable, ownProvider, type Provider, serverOf } from '../../core/base/models/provider';
import { ConfigurationError } from '../../core/base/text/errors';
import type { Agent } from '../../core/conversations/agent/agent';
import type { Model } from '../../core/conversations/agent/model';
import { optionalVariable } from '../../runtime/environment';
import { deployedPrices } from '../../runtime/prices';
import { type ModelKey, modelKey, noKey } from './model-key';
import type { ModelModule } from './module';

/**
 * Creates the models of this deployment. Agents without a provider use the server of OPENAI_BASE_URL. With VIGIL_MODEL, all agents
 * use that model there.
 *
 * @param modules those that call the models of the agents' providers.
 */
export function deployedModel(
  providers: ReadonlyMap<string, Provider>,
  secrets: SecretsManagerClient,
  modules: readonly ModelModule[],
): Model {
  const override = optionalVariable('VIGIL_MODEL');
  const prices = deployedPrices();
  function open(provider: Provider, key: ModelKey, baseURL?: string): Model {
    const module = modules.find(({ kinds }) => kinds.includes(provider.kind));
    if (module) return module.open(provider, { key, baseURL, prices });
    throw new ConfigurationError(
      `provider ${provider.name}: this function was bundled without the client of "${provider.kind}".`,
    );
  }
  const known = new Map(
    [...providers.values()].map((provider) => {
      const { name } = provider;
      const { key: variable, baseUrl } = serverOf(provider);
      const key = variable ? modelKey(secrets, `${variable}_SECRET_ARN`, name) : noKey;
      return [name, open(provider, key, optionalVariable(baseUrlVariable(name)) ?? baseUrl)];
    }),
  );
  const own = providerOfDeployment();
  const others = own && open(own, modelKey(secrets, 'MODEL_KEY_SECRET_ARN'), optionalVariable('OPENAI_BASE_URL'));
  const overridden = <One extends Agent>(agent: One): One =>
    override ? { ...agent, model: { name: override } } : agent;
  const modelOf = ({ model: { provider } }: Agent) => (provider && known.get(provider.name)) ?? others!;
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

function providerOfDeployment(): Provider | undefined {
  const api = optionalVariable('VIGIL_MODEL_API');
  if (api !== undefined && api !== 'responses' && api !== 'chat')
    throw new ConfigurationError(`VIGIL_MODEL_API is "${api}": it must be "responses" or "chat".`);
  return ownProvider(optionalVariable('OPENAI_BASE_URL'), api);
}
