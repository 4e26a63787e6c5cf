import { always, type ProviderKind } from '../../core/base/models/provider-kind';
import { checkServer, type ProviderServer, serverRules } from '../../core/base/models/server-rules';
import { fields, oneOf, text } from '../../core/base/schemas/definition';

/**
 * The Messages API, of Anthropic or a compatible server. `baseUrl` is Anthropic's by default. It has no `/v1`, which is part of each request's
 * path.
 */
export interface AnthropicSpec extends ProviderServer {
  name: string;
  kind: 'anthropic';
}

export const anthropicKind: ProviderKind<AnthropicSpec> = {
  kind: 'anthropic',
  module: 'anthropic',
  isServer: true,
  rule: fields<AnthropicSpec>({ name: text, kind: oneOf('anthropic'), ...serverRules }),
  check: ({ baseUrl, ...spec }) =>
    checkServer({ baseUrl }) ??
    (/\/v1\/?$/.test(baseUrl ?? '')
      ? ['baseUrl', 'must not end in /v1, which is part of each request’s path']
      : checkServer(spec)),
  checkChoice: ({ temperature }) =>
    temperature === undefined
      ? undefined
      : ['temperature', 'leave it out: the API of a provider of the kind "anthropic" has none'],
  sets: {
    model: always,
    messages: always,
    system: always,
    stream: always,
    tools: always,
    max_tokens: always,
    thinking: ['effort'],
    output_config: ['effort', 'output'],
  },
  hosted: {
    web_search: ['allowedDomains', 'blockedDomains', 'maxUses', 'location'],
    web_fetch: ['allowedDomains', 'blockedDomains', 'maxUses', 'maxContentTokens', 'citations'],
    code_interpreter: [],
  },
};
