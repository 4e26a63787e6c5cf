import { Annotations, type Stack, Token, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { checkHosted } from '../../core/base/models/hosted';
import { factsOf } from '../../core/base/models/models';
import { pricesWith, unpricedWords } from '../../core/base/models/price-list';
import { baseUrlVariable, deployedApi, hasWebhook, modelsOf, type Provider } from '../../core/base/models/provider';
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
    if (provider.kind === 'bedrock') continue;
    const { name, key: variable } = provider;
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
  const kind = deployedApi(openaiBaseUrl, given('VIGIL_MODEL_API')) === 'chat' ? 'chat' : 'openai';
  for (const agent of agents)
    if (override || modelsOf(agent.model).some(({ provider }) => !provider)) checkHosted({ ...agent, model: {} }, kind);
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
  if (provider.kind === 'bedrock' || !provider.key || ('oauth' in provider && provider.oauth)) return undefined;
  const { name, kind, baseUrl, key } = provider;
  return { name, kind, baseUrl, baseUrlVariable: baseUrlVariable(name), key };
}

/** Writes the agents into the template's metadata, each with its first example, for `vigil start` to suggest one. */
export function describeAgents(stack: Stack, agents: Iterable<Agent>): void {
  const Agents = [...agents].map(({ name, examples: [example] = [] }) => ({ name, example }));
  describe(stack, { Agents });
}

/** Grants the right to invoke the Bedrock models and to apply the guardrails that agents name, and no others. */
export function grantBedrock(stack: Stack, callModel: VigilFunction, agents: Iterable<Agent>): void {
  const { partition, account } = stack;
  const resources = new Set<string>();
  const applicationProfiles = new Set<string>();
  const guardrails = new Set<string>();
  for (const { name, provider, guardrail } of [...agents].flatMap(modelsOfAgent)) {
    if (provider?.kind !== 'bedrock') continue;
    if (guardrail) guardrails.add(guardrailArn(stack, guardrail.id, provider.region ?? stack.region));
    if (name.startsWith('arn:')) applicationProfiles.add(name);
    else for (const arn of modelArns(stack, name, provider.region ?? stack.region)) resources.add(arn);
  }
  if (guardrails.size > 0) callModel.allow([...guardrails], 'bedrock:ApplyGuardrail');
  const action = 'bedrock:InvokeModelWithResponseStream';
  const named = [...resources, ...applicationProfiles];
  if (named.length === 0) return;
  callModel.allow(named, action);
  acknowledge(named, 'An inference profile invokes its model in any of its regions; the model is named.');
  if (applicationProfiles.size === 0) return;
  // Only its owner knows the models behind an application inference profile. So any model may be invoked, but only
  // through that profile.
  const any = [
    `arn:${partition}:bedrock:*::foundation-model/*`,
    `arn:${partition}:bedrock:*:${account}:inference-profile/*`,
  ];
  const conditions = { StringEquals: { 'bedrock:InferenceProfileArn': [...applicationProfiles] } };
  callModel.role.addToPolicy(new PolicyStatement({ actions: [action], resources: any, conditions }));
  acknowledge(any, 'Only through the inference profiles that agents name.');

  function acknowledge(arns: string[], reason: string): void {
    for (const arn of arns.filter((one) => one.includes('*')))
      Validations.of(callModel.role).acknowledge({
        id: `AwsSolutions-IAM5[Resource::${arn.replace(partition, '<AWS::Partition>').replace(account, '<AWS::AccountId>')}]`,
        reason,
      });
  }
}

const guardrailArn = ({ partition, account }: Stack, id: string, region: string): string =>
  id.startsWith('arn:') ? id : `arn:${partition}:bedrock:${region}:${account}:guardrail/${id}`;

/**
 * Returns the ARNs for a model. An inference profile routes to its model in several regions and needs the right to
 * both.
 */
function modelArns({ partition, account }: Stack, name: string, region: string): string[] {
  const [, model] = /^(?:us-gov|us|eu|apac|ap|au|jp|ca|sa|global)\.(.+)$/.exec(name) ?? [];
  if (!model) return [`arn:${partition}:bedrock:${region}::foundation-model/${name}`];
  return [
    `arn:${partition}:bedrock:${region}:${account}:inference-profile/${name}`,
    `arn:${partition}:bedrock:*::foundation-model/${model}`,
  ];
}
