import { checkOptions } from '../schemas/definition';
import { ConfigurationError } from '../text/errors';
import { urlIn } from '../text/web-address';
import type { TakenKind } from './models';
import { providerRule } from './provider-checks';

interface Server {
  baseUrl?: string;
  /** The environment variable with the key on a laptop, such as `DEEPSEEK_API_KEY`; on AWS, a secret with the tag `vigil:variable`. */
  key?: string;
  /**
   * For a server that needs access tokens, such as Azure with Entra ID. `key` names the client secret, with which tokens are
   * requested (OAuth 2.0, client credentials).
   */
  oauth?: { tokenUrl: string; clientId: string; scope: string };
  /** Sent with each request. Put no secrets here: they are in the bundle. */
  headers?: Record<string, string>;
  query?: Record<string, string>;
  /**
   * Whether the server takes OpenAI's fields for its cache. By default, OpenAI's own and Azure's do, another server of the Responses API gets
   * `prompt_cache_key` only, and one of chat completions nothing, because it may reject what it does not know.
   */
  cacheFields?: boolean;
}

interface OpenaiServer extends Server {
  /**
   * The environment variable with the secret of the provider's webhook (Standard Webhooks) on a laptop, such as `OPENAI_WEBHOOK_SECRET`; on
   * AWS, a secret with the tag `vigil:variable`. A reply in the background then continues its run at once, and not only when it is asked for.
   */
  webhookSecret?: string;
}

interface ChatServer extends Server {
  baseUrl: string;
  /** Whether the server enforces a JSON schema, by `response_format`. The instructions ask for it in any case. */
  structuredOutput?: boolean;
  /** The name of the server's output limit. `max_tokens` by default. */
  outputLimit?: 'max_tokens' | 'max_completion_tokens';
}

/** `baseUrl` is Anthropic's by default. It has no `/v1`, which is part of each request's path. */
type MessagesServer = Pick<Server, 'baseUrl' | 'key' | 'headers'>;

/**
 * A provider of models, and its API.
 * - `openai`: the Responses API, of OpenAI or a compatible server.
 * - `chat`: the chat completions API of any server.
 * - `anthropic`: the Messages API, of Anthropic or a compatible server.
 * - `bedrock`: Amazon Bedrock's Converse API, with the function's role. A model's name is the id of a foundation model or of an
 *   inference profile (`us.…`, `global.…`).
 */
export type ProviderSpec = {
  /** In kebab-case. The environment variable `<NAME>_BASE_URL` replaces `baseUrl` in a deployment. */
  name: string;
} & (
  | ({ kind: 'openai' } & OpenaiServer)
  | ({ kind: 'chat' } & ChatServer)
  | ({ kind: 'anthropic' } & MessagesServer)
  | { kind: 'bedrock'; region?: string }
);

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
  const whose = `provider ${spec?.name ?? 'without a name'}`;
  const wrong = (field: string, problem: string) => new ConfigurationError(`${whose}: ${field}: ${problem}`);
  checkOptions(whose, spec, providerRule);
  if (!/^[a-z][a-z0-9-]{0,49}$/.test(spec.name))
    throw wrong('name', 'use kebab-case, a letter first, at most 50 characters');
  if (spec.name === deployedProvider)
    throw wrong('name', `"${deployedProvider}" is reserved for the provider of OPENAI_BASE_URL`);
  if (spec.kind === 'bedrock') {
    if (spec.region !== undefined && !/^[a-z]{2}(?:-[a-z]+)+-\d$/.test(spec.region))
      throw wrong('region', 'must be the name of an AWS region');
    return spec;
  }
  if (spec.baseUrl !== undefined && !isAddress(spec.baseUrl))
    throw wrong('baseUrl', 'must be an http or https address');
  if (spec.kind === 'chat' && !spec.baseUrl) throw wrong('baseUrl', 'is missing');
  if (spec.kind === 'anthropic' && /\/v1\/?$/.test(spec.baseUrl ?? ''))
    throw wrong('baseUrl', 'must not end in /v1, which is part of each request’s path');
  if (spec.key !== undefined && !/^[A-Z][A-Z0-9_]{0,60}_(?:API_KEY|TOKEN|CLIENT_SECRET)$/.test(spec.key))
    throw wrong('key', 'must be the name of a variable that ends in _API_KEY, _TOKEN or _CLIENT_SECRET, not the key');
  if (hasWebhook(spec) && !/^[A-Z][A-Z0-9_]{0,60}_WEBHOOK_SECRET$/.test(spec.webhookSecret))
    throw wrong('webhookSecret', 'must be the name of a variable that ends in _WEBHOOK_SECRET, not the secret');
  if (spec.kind === 'anthropic') return spec;
  if (spec.oauth && !spec.key) throw wrong('key', 'is missing: `oauth` needs the variable with the client secret');
  if (spec.oauth && !isAddress(spec.oauth.tokenUrl)) throw wrong('oauth.tokenUrl', 'must be an http or https address');
  return spec;
}

/** Whether a provider says by webhook that a reply in the background is over. */
export const hasWebhook = (provider: Provider): provider is Provider & { webhookSecret: string } =>
  'webhookSecret' in provider && provider.webhookSecret !== undefined;

const isAddress = (text: string) => /^https?:$/.test(urlIn(text)?.protocol ?? '');

/** The provider of agents that name none: OpenAI, or the server of OPENAI_BASE_URL. */
export const deployedProvider = 'default';

/**
 * Returns the API of the deployment's own provider: OpenAI's own server uses the Responses API, any other server chat completions, unless
 * VIGIL_MODEL_API says otherwise.
 */
export function deployedApi(baseUrl: string | undefined, api: string | undefined): 'responses' | 'chat' {
  if (api === 'responses' || api === 'chat') return api;
  return isOpenai(baseUrl || undefined) ? 'responses' : 'chat';
}

const isOpenai = (baseUrl = 'https://api.openai.com') => /(?:^|\.)openai\.com$/.test(urlIn(baseUrl)?.hostname ?? '');

/** Returns the environment variable that replaces a provider's `baseUrl`. */
export const baseUrlVariable = (name: string): string => `${name.toUpperCase().replaceAll('-', '_')}_BASE_URL`;

/** The model of an agent, and its settings. The provider's defaults apply to absent ones. */
export interface ModelChoice {
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
  /** A guardrail of Amazon Bedrock, which checks each request and reply of the model. Only for a provider of the kind `bedrock`. */
  guardrail?: Guardrail;
  /** Further fields of the request, in the API's format. */
  extra?: Record<string, unknown>;
}

export interface Guardrail {
  /** Its id or ARN. */
  id: string;
  /** A number, or `DRAFT`. */
  version: string;
  /** `enabled` by default: without it, Bedrock does not say whether it refuses the message or the reply. */
  trace?: 'enabled' | 'disabled';
}

/** A model, and those that are asked in its place while it does not answer. */
export interface ModelChoices extends ModelChoice {
  otherwise?: readonly ModelChoice[];
}

/** One model, or a list of them: a later one is asked while those before it do not answer. */
export type ModelSpec = string | ModelChoice | readonly (string | ModelChoice)[];

/** Returns the models of an agent in the order in which they are asked. */
export const modelsOf = ({ otherwise = [], ...first }: ModelChoices): ModelChoice[] => [first, ...otherwise];

/** Each of them may delay a step by its failures. */
const mostModels = 4;

/** @throws ConfigurationError, whose message begins with `whose`. */
export function modelChoice(spec: ModelSpec, whose: string): ModelChoices {
  const wrong = (field: string, problem: string) => new ConfigurationError(`${whose}: ${field}: ${problem}`);
  const list = [spec].flat() as (string | ModelChoices)[];
  const models = list.flatMap((one) => (typeof one === 'string' ? [{ name: one }] : modelsOf(one)));
  const [first, ...otherwise] = models;
  if (!first) throw wrong('model', 'is an empty list');
  if (models.length > mostModels) throw wrong('model', `is a list of more than ${mostModels} models`);
  for (const [index, { name, provider, maxOutputTokens = 16, temperature = 0 }] of models.entries()) {
    const field = models.length > 1 ? `model[${index}]` : 'model';
    if (!name?.trim()) throw wrong(field, 'has no name');
    if (!Number.isInteger(maxOutputTokens) || maxOutputTokens < 16)
      throw wrong(`${field}.maxOutputTokens`, 'must be a whole number of at least 16');
    if (!(temperature >= 0 && temperature <= 2)) throw wrong(`${field}.temperature`, 'must be a number from 0 to 2');
    if (models[index]!.temperature !== undefined && provider?.kind === 'anthropic')
      throw wrong(`${field}.temperature`, 'leave it out: the API of a provider of the kind "anthropic" has none');
    const { guardrail, extra } = models[index]!;
    if (guardrail && provider?.kind !== 'bedrock')
      throw wrong(
        `${field}.guardrail`,
        'only a provider of the kind "bedrock" has guardrails: use "guards" of the agent',
      );
    if (guardrail && !/^(?:[a-z0-9]+|arn:aws[^:]*:bedrock:[a-z0-9-]+:\d{12}:guardrail\/[a-z0-9]+)$/.test(guardrail.id))
      throw wrong(`${field}.guardrail.id`, 'must be the id or the ARN of a guardrail');
    if (guardrail && !/^(?:[1-9]\d{0,7}|DRAFT)$/.test(guardrail.version))
      throw wrong(`${field}.guardrail.version`, 'must be a number as a text, or "DRAFT"');
    if (extra && Object.hasOwn(extra, 'guardrailConfig'))
      throw wrong(`${field}.extra.guardrailConfig`, 'no model reads it there: use "guardrail: { id, version }"');
    const isSame = (other: ModelChoice) => other.name === name && other.provider?.name === provider?.name;
    if (models.findIndex(isSame) < index) throw wrong(field, `${name} is listed twice`);
  }
  return otherwise.length > 0 ? { ...first, otherwise } : first;
}
