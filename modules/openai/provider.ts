import { always, type FieldsSet, type OwnServer, type ProviderKind } from '../../core/base/models/provider-kind';
import { checkServer, isAddress, type ProviderServer, serverRules } from '../../core/base/models/server-rules';
import { fields, flag, oneOf, optional, type Problem, recordOf, text } from '../../core/base/schemas/definition';
import { urlIn } from '../../core/base/text/web-address';

interface Server extends ProviderServer {
  name: string;
  /**
   * For a server that needs access tokens, such as Azure with Entra ID. `key` names the client secret, with which tokens are
   * requested (OAuth 2.0, client credentials).
   */
  oauth?: Oauth;
  query?: Record<string, string>;
  /**
   * Whether the server takes OpenAI's fields for its cache. By default, OpenAI's own and Azure's do, another server of the Responses API gets
   * `prompt_cache_key` only, and one of chat completions nothing, because it may reject what it does not know.
   */
  cacheFields?: boolean;
}

interface Oauth {
  tokenUrl: string;
  clientId: string;
  scope: string;
}

/** The Responses API, of OpenAI or a compatible server. */
export interface OpenaiSpec extends Server {
  kind: 'openai';
  /**
   * The environment variable with the secret of the provider's webhook (Standard Webhooks) on a laptop, such as `OPENAI_WEBHOOK_SECRET`; on
   * AWS, a secret with the tag `vigil:variable`. A reply in the background then continues its run at once, and not only when it is asked for.
   */
  webhookSecret?: string;
}

/** The chat completions API of any server. */
export interface ChatSpec extends Server {
  kind: 'chat';
  baseUrl: string;
  /** Whether the server enforces a JSON schema, by `response_format`. The instructions ask for it in any case. */
  structuredOutput?: boolean;
  /** The name of the server's output limit. `max_tokens` by default. */
  outputLimit?: 'max_tokens' | 'max_completion_tokens';
}

const server = {
  name: text,
  ...serverRules,
  oauth: optional(fields<Oauth>({ tokenUrl: text, clientId: text, scope: text })),
  query: optional(recordOf(text)),
  cacheFields: optional(flag),
};

const inBoth = {
  model: always,
  stream: always,
  tools: always,
  temperature: ['temperature'],
  prompt_cache_key: always,
  prompt_cache_options: always,
} satisfies FieldsSet;

export const openaiKind: ProviderKind<OpenaiSpec> = {
  kind: 'openai',
  module: 'openai',
  isServer: true,
  rule: fields<OpenaiSpec>({ ...server, kind: oneOf('openai'), webhookSecret: optional(text) }),
  own: ({ name, ...server }) =>
    apiOf(server) === 'responses' ? { name, kind: 'openai', baseUrl: server.baseUrl } : undefined,
  check: (spec) => checkServer(spec) ?? checkWebhook(spec) ?? checkOauth(spec),
  sets: {
    ...inBoth,
    instructions: always,
    input: always,
    store: always,
    include: always,
    background: always,
    reasoning: ['effort'],
    text: ['verbosity', 'output'],
    max_output_tokens: ['maxOutputTokens'],
  },
  hosted: {
    web_search: ['allowedDomains', 'contextSize', 'location'],
    file_search: ['vectorStores', 'maxResults'],
    code_interpreter: ['files', 'memory'],
    image_generation: ['imageModel', 'size', 'quality', 'format', 'background'],
  },
};

export const chatKind: ProviderKind<ChatSpec> = {
  kind: 'chat',
  module: 'openai',
  isServer: true,
  rule: fields<ChatSpec>({
    ...server,
    kind: oneOf('chat'),
    structuredOutput: optional(flag),
    outputLimit: optional(oneOf('max_tokens', 'max_completion_tokens')),
  }),
  own: ({ name, ...server }) =>
    apiOf(server) === 'chat' ? { name, kind: 'chat', baseUrl: server.baseUrl ?? ofOpenai } : undefined,
  check: (spec) => (spec.baseUrl === undefined ? ['baseUrl', 'is missing'] : (checkServer(spec) ?? checkOauth(spec))),
  sets: {
    ...inBoth,
    messages: always,
    stream_options: always,
    reasoning_effort: ['effort'],
    verbosity: ['verbosity'],
    response_format: ['structuredOutput'],
    max_tokens: ['maxOutputTokens'],
    max_completion_tokens: ['maxOutputTokens'],
  },
  hosted: {},
};

const checkWebhook = ({ webhookSecret }: OpenaiSpec): Problem | undefined =>
  webhookSecret === undefined || /^[A-Z][A-Z0-9_]{0,60}_WEBHOOK_SECRET$/.test(webhookSecret)
    ? undefined
    : ['webhookSecret', 'must be the name of a variable that ends in _WEBHOOK_SECRET, not the secret'];

function checkOauth({ oauth, key }: Server): Problem | undefined {
  if (oauth && !key) return ['key', 'is missing: `oauth` needs the variable with the client secret'];
  if (oauth && !isAddress(oauth.tokenUrl)) return ['oauth.tokenUrl', 'must be an http or https address'];
  return undefined;
}

const ofOpenai = 'https://api.openai.com/v1';
/** OpenAI's own server uses the Responses API, any other one chat completions, unless VIGIL_MODEL_API says otherwise. */
const apiOf = ({ baseUrl = ofOpenai, api }: Omit<OwnServer, 'name'>): string =>
  api ?? (isOpenai(baseUrl) ? 'responses' : 'chat');
const isOpenai = (baseUrl: string) => /(?:^|\.)openai\.com$/.test(urlIn(baseUrl)?.hostname ?? '');
