import { ConfigurationError } from '../text/errors';

interface Server {
  baseUrl?: string;
  /** The variable with the key on a laptop, such as `DEEPSEEK_API_KEY`; on AWS the secret `vigil/DEEPSEEK_API_KEY`. */
  key?: string;
  /**
   * Of a server that takes tokens, not keys, such as Azure with Entra ID: `key` names a client's secret, and tokens are asked for
   * with it (OAuth 2.0, client credentials).
   */
  oauth?: { tokenUrl: string; clientId: string; scope: string };
  /** Sent with each request. Nothing secret: they are in the bundle. */
  headers?: Record<string, string>;
  query?: Record<string, string>;
}

interface ChatServer extends Server {
  baseUrl: string;
  /** Whether the server holds a model to a JSON schema, by `response_format`. It is asked for in words in any case. */
  structuredOutput?: boolean;
  /** How the server calls the limit of its output. `max_tokens` unless given. */
  outputLimit?: 'max_tokens' | 'max_completion_tokens';
}

/**
 * Who runs a model, and by which API it is reached.
 * - `openai`: OpenAI's Responses API, there or at another server that speaks it.
 * - `chat`: the chat completions API of any server.
 * - `bedrock`: Amazon Bedrock's Converse API, by the function's role. A model is named by the id of a foundation model or of an
 *   inference profile (`us.…`, `global.…`).
 */
export type ProviderSpec = {
  /** kebab-case. `<NAME>_BASE_URL` in the environment stands in for `baseUrl`, so that a deployment can lead it elsewhere. */
  name: string;
} & (({ kind: 'openai' } & Server) | ({ kind: 'chat' } & ChatServer) | { kind: 'bedrock'; region?: string });

export type Provider = Readonly<ProviderSpec>;

/** @throws ConfigurationError naming the provider and the field, at build time. */
export function defineProvider(spec: ProviderSpec): Provider {
  const wrong = (field: string, problem: string) =>
    new ConfigurationError(`provider ${spec.name}: ${field}: ${problem}`);
  if (!/^[a-z][a-z0-9-]{0,49}$/.test(spec.name))
    throw wrong('name', 'use kebab-case, a letter first, at most 50 characters');
  if (spec.name === deployedProvider) throw wrong('name', `"${deployedProvider}" is the one of OPENAI_BASE_URL`);
  if (spec.kind === 'bedrock') {
    if (spec.region !== undefined && !/^[a-z]{2}(?:-[a-z]+)+-\d$/.test(spec.region))
      throw wrong('region', 'must be the name of an AWS region');
    return spec;
  }
  if (spec.kind !== 'openai' && spec.kind !== 'chat') throw wrong('kind', 'must be "openai", "chat" or "bedrock"');
  if (spec.baseUrl !== undefined && !isAddress(spec.baseUrl))
    throw wrong('baseUrl', 'must be an http or https address');
  if (spec.kind === 'chat' && !spec.baseUrl) throw wrong('baseUrl', 'is missing');
  if (spec.key !== undefined && !/^[A-Z][A-Z0-9_]{0,60}_(?:API_KEY|TOKEN|CLIENT_SECRET)$/.test(spec.key))
    throw wrong('key', 'must be the name of a variable that ends in _API_KEY, _TOKEN or _CLIENT_SECRET, not the key');
  if (spec.oauth && !spec.key) throw wrong('key', 'is missing: `oauth` needs the variable with the client’s secret');
  if (spec.oauth && !isAddress(spec.oauth.tokenUrl)) throw wrong('oauth.tokenUrl', 'must be an http or https address');
  return spec;
}

const isAddress = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** The one that agents without a provider ask: OpenAI, or the server of OPENAI_BASE_URL. */
export const deployedProvider = 'default';

/** The variable that leads a provider elsewhere. */
export const baseUrlVariable = (name: string): string => `${name.toUpperCase().replaceAll('-', '_')}_BASE_URL`;

/** Which model an agent asks, and how. What is not given is as the provider has it. */
export interface ModelChoice {
  /** The one of `OPENAI_BASE_URL` unless given. */
  provider?: Provider;
  name: string;
  /** How long it thinks, of a model that does. */
  effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  /** How long its answers are, of OpenAI's models. */
  verbosity?: 'low' | 'medium' | 'high';
  /** Of one reply, what it thinks included. */
  maxOutputTokens?: number;
  temperature?: number;
  /** Fields of the request beside these, as the API has them. */
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
  return choice;
}
