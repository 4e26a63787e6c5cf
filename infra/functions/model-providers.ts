import { Annotations, type Stack, Token, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { checkHosted } from '../../core/base/models/hosted-checks';
import { kindOf } from '../../core/base/models/kinds';
import { factsOf } from '../../core/base/models/models';
import { pricesWith, unpricedWords } from '../../core/base/models/price-list';
import {
  baseUrlVariable,
  hasWebhook,
  modelsOf,
  ownProvider,
  type Provider,
  serverOf,
} from '../../core/base/models/provider';
import type { Agent } from '../../core/conversations/agent/agent';
import { describe } from '../described';
import type { Settings } from '../settings';
import { ApiKey } from './api-key';
import type { VigilFunction } from './vigil-function';

export interface ReachProvidersProps {
  providers: ReadonlyMap<string, Provider>;
  settings: Settings;
  /** The deployment's own key, which a provider may share. */
  modelKey: ApiKey;
}

/**
 * Gives CallModel what it needs to reach the agents' providers.
 *
 * @returns all keys, including the deployment's own.
 */
export function reachProviders(
  scope: Construct,
  callModel: VigilFunction,
  { providers, settings, modelKey }: ReachProvidersProps,
): ApiKey[] {
  const keys = new Map([[modelKey.variable, modelKey]]);
  for (const provider of providers.values()) {
    if (!kindOf(provider).isServer) continue;
    const { name } = provider;
    const { key: variable } = serverOf(provider);
    const baseUrl = baseUrlVariable(name);
    callModel.addEnvironment(baseUrl, settings.given(baseUrl));
    if (!variable) continue;
    const key = keys.get(variable) ?? new ApiKey(scope, variable, { variable, of: `The API key of ${name}` });
    keys.set(variable, key);
    callModel.addEnvironment(`${variable}_SECRET_ARN`, key.arn);
    key.grantRead(callModel);
  }
  return [...keys.values()];
}

/**
 * Lets the API verify the webhooks of providers that have a secret for them.
 *
 * @returns whether there is such a provider.
 */
export function acceptWebhooks(scope: Construct, api: VigilFunction, providers: Iterable<Provider>): boolean {
  const withWebhook = [...providers].filter(hasWebhook);
  for (const { name, webhookSecret: variable } of withWebhook) {
    const secret = new ApiKey(scope, variable, { variable, of: `The secret of the webhook of ${name}` });
    api.addEnvironment(`${variable}_SECRET_ARN`, secret.arn);
    secret.grantRead(api);
  }
  return withWebhook.length > 0;
}

/** The agent's models and those that summarise for it, often the same. */
const modelsOfAgent = ({ model, summaryModel }: Agent) => [model, summaryModel].flatMap(modelsOf);

/**
 * Checks that the deployment's own provider has the hosted tools of the agents that it serves: those with a model without a provider or,
 * with VIGIL_MODEL, all.
 *
 * @throws ConfigurationError naming the agent, the tool and the provider.
 */
export function checkHostedTools(agents: Iterable<Agent>, { model: override, openaiBaseUrl, given }: Settings): void {
  const served = ownProvider(openaiBaseUrl, given('VIGIL_MODEL_API'));
  for (const agent of agents)
    if (override || modelsOf(agent.model).some(({ provider }) => !provider))
      checkHosted({ ...agent, model: {} }, served);
}

const warnDays = 60;

/**
 * Writes the models that agents request into the template's metadata, for the operator: those of the deployment's own provider, and
 * of others that have a key. Warns of models of any provider that are shut down within 60 days, and of models that reject tools over the
 * configured API.
 */
export function describeModels(stack: Stack, agents: Iterable<Agent>, settings: Settings, now: Date): void {
  const { model: override } = settings;
  type Askers = Map<string, Set<string>>;
  const [all, own]: Askers[] = [new Map(), new Map()];
  const listed = new Map<Provider | undefined, Askers>([[undefined, own!]]);
  for (const agent of agents)
    for (const { name, provider } of override ? [{ name: override, provider: undefined }] : modelsOfAgent(agent)) {
      const ofProvider: Askers = listed.get(provider) ?? new Map();
      listed.set(provider, ofProvider);
      for (const asked of [all!, ofProvider]) asked.set(name, (asked.get(name) ?? new Set()).add(agent.name));
    }
  const isChat = settings.given('VIGIL_MODEL_API') === 'chat' && settings.openaiBaseUrl === '';
  for (const name of isChat ? own!.keys() : []) {
    if (!factsOf(name).responsesOnly) continue;
    const words = `The model ${name} calls tools only over the Responses API, but VIGIL_MODEL_API is "chat": unset it or choose another model.`;
    Annotations.of(stack).addWarningV2(`vigil:model-api:${name}`, words);
  }
  for (const [name, askedBy] of all!) {
    const { ends } = factsOf(name);
    if (!ends || Date.parse(ends.on) - now.getTime() > warnDays * 86_400_000) continue;
    const words = `The model ${name} (${[...askedBy].join(', ')}) is shut down on ${ends.on}. Its provider recommends ${ends.instead} instead.`;
    Annotations.of(stack).addWarningV2(`vigil:model-ends:${name}`, words);
  }
  const prices = pricesWith(settings.given('VIGIL_PRICES'));
  const isPriced = (name: string) => Object.hasOwn(prices, name) || Token.isUnresolved(name);
  for (const [name, askedBy] of all!)
    if (!isPriced(name))
      Annotations.of(stack).addWarningV2(`vigil:model-price:${name}`, unpricedWords(name, [...askedBy]));
  const Models = [...listed].flatMap(([provider, asked]) =>
    provider && !listing(provider)
      ? []
      : [...asked].map(([name, askedBy]) => ({
          name,
          agents: [...askedBy],
          ends: factsOf(name).ends,
          unpriced: isPriced(name) ? undefined : unpricedWords(name, [...askedBy]),
          provider: provider && listing(provider),
        })),
  );
  describe(stack, { Models });
}

/** What `npm start` needs to ask a provider for its list of models: the names of variables, never the key. */
function listing(provider: Provider) {
  const { name, kind } = provider;
  const { baseUrl, key } = serverOf(provider);
  if (!key || ('oauth' in provider && provider.oauth)) return undefined;
  return { name, kind, baseUrl, baseUrlVariable: baseUrlVariable(name), key };
}

/** Writes the agents into the template's metadata, each with its first example, for `vigil start` to suggest one. */
export function describeAgents(stack: Stack, agents: Iterable<Agent>): void {
  const Agents = [...agents].map(({ name, examples: [example] = [] }) => ({ name, example }));
  describe(stack, { Agents });
}

/** Grants the rights that the kinds of providers need for the models that agents name, and no others. */
export function grantModels(stack: Stack, callModel: VigilFunction, agents: Iterable<Agent>): void {
  // By name: a copy of a stack loses what its class computes, such as the partition.
  const { partition, account, region } = stack;
  const calls = [...agents].flatMap(modelsOfAgent).flatMap((choice) => {
    const { provider } = choice;
    return provider ? [{ kind: kindOf(provider), provider, choice }] : [];
  });
  for (const kind of new Set(calls.map((one) => one.kind))) {
    const ofKind = calls.filter((one) => one.kind === kind);
    const rights = kind.rights?.(ofKind, { partition, account, region }) ?? [];
    for (const { action, resources, conditions, reason } of rights) {
      const statement = { actions: [action], resources: [...resources], conditions: conditions && { ...conditions } };
      callModel.role.addToPolicy(new PolicyStatement(statement));
      for (const arn of resources.filter((one) => reason && one.includes('*'))) acknowledge(arn, reason!);
    }
  }

  function acknowledge(arn: string, reason: string): void {
    const shown = arn.replace(partition, '<AWS::Partition>').replace(account, '<AWS::AccountId>');
    Validations.of(callModel.role).acknowledge({ id: `AwsSolutions-IAM5[Resource::${shown}]`, reason });
  }
}
