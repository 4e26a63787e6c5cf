import { allKinds, deployedProvider, type Kind, kindOf, kindsOfOwn } from './kinds';
import type { TakenKind } from './models';
import { checkModels, checkProvider } from './provider-checks';
import type { ChoiceOf, SpecOf } from './provider-kind';
import type { ProviderServer } from './server-rules';

/**
 * A provider of models, and its API (`kind`). Its name is in kebab-case. The environment variable `<NAME>_BASE_URL` replaces the `baseUrl` of a
 * server in a deployment.
 * - `openai`: the Responses API, of OpenAI or a compatible server.
 * - `chat`: the chat completions API of any server.
 * - `anthropic`: the Messages API, of Anthropic or a compatible server.
 * - `bedrock`: Amazon Bedrock's Converse API, with the function's role. A model's name is the id of a foundation model or of an
 *   inference profile (`us.…`, `global.…`).
 */
export type ProviderSpec = SpecOf<Kind>;

export type Provider = Readonly<ProviderSpec>;

/**
 * Declares a provider of models, which agents name in `model`. It does no request.
 *
 * @throws ConfigurationError naming the provider and the field, at build time.
 * @example
 * ```ts
 * import { defineAgent, defineProvider } from 'vigil';
 *
 * const deepSeek = defineProvider({
 *   name: 'deepseek',
 *   kind: 'chat',
 *   baseUrl: 'https://api.deepseek.com',
 *   key: 'DEEPSEEK_API_KEY', // the variable's name, never the key
 * });
 * const spec = { name: 'guide', purpose: 'Answers visitors.', instructions: 'You answer visitors.', tools: [] };
 * const guide = defineAgent({ ...spec, model: { provider: deepSeek, name: 'deepseek-chat' } });
 * guide.model.provider?.name; // → 'deepseek'
 * ```
 */
export function defineProvider(spec: ProviderSpec): Provider {
  checkProvider(spec);
  return spec;
}

/** Returns a provider as a server. One that is none has none of the fields. */
export const serverOf = (provider: Provider): ProviderServer =>
  kindOf(provider).isServer ? (provider as ProviderServer) : {};

/** Whether a provider says by webhook that a reply in the background is over. */
export const hasWebhook = (provider: Provider): provider is Provider & { webhookSecret: string } =>
  'webhookSecret' in provider && provider.webhookSecret !== undefined;

/** Returns the provider of agents that name none, by OPENAI_BASE_URL and VIGIL_MODEL_API, if a module has its API. */
export function ownProvider(baseUrl?: string, api?: string): Provider | undefined {
  const known = api === 'responses' || api === 'chat' ? api : undefined;
  const server = { name: deployedProvider, baseUrl: baseUrl || undefined, api: known };
  return kindsOfOwn.flatMap((kind) => (kind.own!(server) as Provider | undefined) ?? [])[0];
}

/** Returns the modules that call the models of these providers, and of agents that name none. */
export const modulesOf = (providers: Iterable<Provider>): string[] => {
  const used = new Set([...providers].map(({ kind }) => kind as string));
  return [...new Set(allKinds.flatMap(({ kind, own, module }) => (own || used.has(kind) ? module : [])))];
};

/** Returns the environment variable that replaces a provider's `baseUrl`. */
export const baseUrlVariable = (name: string): string => `${name.toUpperCase().replaceAll('-', '_')}_BASE_URL`;

/** The additional settings of the models of one kind of providers. */
export type ChoiceOfKinds = Partial<Together<ChoiceOf<Kind>>>;
type Together<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** The model of an agent, and its settings. The provider's defaults apply to absent ones. */
export interface ModelChoice extends ChoiceOfKinds {
  /** By default, OpenAI or the server of `OPENAI_BASE_URL`. */
  provider?: Provider;
  name: string;
  /** The reasoning effort, for reasoning models. */
  effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  /** The length of answers, for OpenAI's models. */
  verbosity?: 'low' | 'medium' | 'high';
  /** The limit of one reply, reasoning included. */
  maxOutputTokens?: number;
  temperature?: number;
  /**
   * Whether the provider makes the reply in the background (OpenAI's Responses API): the execution waits without cost, for hours if need
   * be. By default for models that think for minutes. The provider then stores the reply for some minutes, so this is not for projects
   * with zero data retention.
   */
  background?: boolean;
  /** The kinds of files that the model takes, if Vigil does not know the model or its server takes others. An empty list: none. */
  takes?: readonly TakenKind[];
  /** Further fields of the request, in the API's format. */
  extra?: Record<string, unknown>;
}

/** A model, and those that are asked in its place while it does not answer. */
export interface ModelChoices extends ModelChoice {
  otherwise?: readonly ModelChoice[];
}

/** One model, or a list of them: a later one is asked while those before it do not answer. */
export type ModelSpec = string | ModelChoice | readonly (string | ModelChoice)[];

/** Returns the models of an agent in the order in which they are asked. */
export const modelsOf = ({ otherwise = [], ...first }: ModelChoices): ModelChoice[] => [first, ...otherwise];

/** @throws ConfigurationError, whose message begins with `whose`. */
export function modelChoice(spec: ModelSpec, whose: string): ModelChoices {
  const list = [spec].flat() as (string | ModelChoices)[];
  const models = list.flatMap((one) => (typeof one === 'string' ? [{ name: one }] : modelsOf(one)));
  checkModels(models, whose);
  const [first, ...otherwise] = models;
  return otherwise.length > 0 ? { ...first!, otherwise } : first!;
}
