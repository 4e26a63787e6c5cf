import { checkOptions } from '../schemas/definition';
import { ConfigurationError } from '../text/errors';
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
  | ({ kind: 'openai' } & Server)
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
  if (spec.kind === 'anthropic') return spec;
  if (spec.oauth && !spec.key) throw wrong('key', 'is missing: `oauth` needs the variable with the client secret');
  if (spec.oauth && !isAddress(spec.oauth.tokenUrl)) throw wrong('oauth.tokenUrl', 'must be an http or https address');
  return spec;
}

const isAddress = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** The provider of agents that name none: OpenAI, or the server of OPENAI_BASE_URL. */
export const deployedProvider = 'default';

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
  /** Further fields of the request, in the API's format. */
  extra?: Record<string, unknown>;
}

/** @throws ConfigurationError, whose message begins with `whose`. */
export function modelChoice(model: string | ModelChoice, whose: string): ModelChoice {
  const choice = typeof model === 'string' ? { name: model } : model;
  const wrong = (field: string, problem: string) => new ConfigurationError(`${whose}: ${field}: ${problem}`);
  if (!choice.name?.trim()) throw wrong('model', 'has no name');
  const { maxOutputTokens = 16, temperature = 0 } = choice;
  if (!Number.isInteger(maxOutputTokens) || maxOutputTokens < 16)
    throw wrong('model.maxOutputTokens', 'must be a whole number of at least 16');
  if (!(temperature >= 0 && temperature <= 2)) throw wrong('model.temperature', 'must be a number from 0 to 2');
  if (choice.temperature !== undefined && choice.provider?.kind === 'anthropic')
    throw wrong('model.temperature', 'leave it out: the API of a provider of the kind "anthropic" has none');
  return choice;
}
