import { isDeepStrictEqual } from 'node:util';
import {
  anyText,
  either,
  fields,
  isPlain,
  isText,
  listOf,
  number,
  oneOf,
  optional,
  type Rule,
  recordOf,
  text,
} from '../schemas/definition';
import { takenKinds } from './models';
import type { Guardrail, ModelChoices, ProviderSpec } from './provider';

type SpecOf<Kind extends ProviderSpec['kind']> = Extract<ProviderSpec, { kind: Kind }>;

const header: Rule = (value, at) => {
  const wrong = recordOf(text)(value, at);
  if (wrong) return wrong;
  for (const [name, one] of Object.entries(value as Record<string, string>))
    try {
      new Headers([[name, one]]);
    } catch {
      return [`${at}.${name}`, 'cannot be sent as a header'];
    }
  return undefined;
};

/** Sent as it is, in the body of each request. */
const json: Rule = (value, at) => {
  if (!isPlain(value)) return [at, 'must be an object'];
  const odd = Object.entries(value).find(([, one]) => !isDeepStrictEqual(one, jsonOf(one)));
  return odd && [`${at}.${odd[0]}`, 'must be JSON'];
};
function jsonOf(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return undefined;
  }
}

const messagesServer = { name: text, key: optional(text), headers: optional(header) };
const server = {
  ...messagesServer,
  oauth: optional(
    fields<{ tokenUrl: string; clientId: string; scope: string }>({ tokenUrl: text, clientId: text, scope: text }),
  ),
  query: optional(recordOf(text)),
  cacheFields: optional(oneOf(true, false)),
};
const kinds: Record<ProviderSpec['kind'], Rule> = {
  openai: fields<SpecOf<'openai'>>({
    ...server,
    kind: oneOf('openai'),
    baseUrl: optional(text),
    webhookSecret: optional(text),
  }),
  chat: fields<SpecOf<'chat'>>({
    ...server,
    kind: oneOf('chat'),
    // Its absence has a message of its own.
    baseUrl: optional(text),
    structuredOutput: optional(oneOf(true, false)),
    outputLimit: optional(oneOf('max_tokens', 'max_completion_tokens')),
  }),
  anthropic: fields<SpecOf<'anthropic'>>({ ...messagesServer, kind: oneOf('anthropic'), baseUrl: optional(text) }),
  bedrock: fields<SpecOf<'bedrock'>>({ name: text, kind: oneOf('bedrock'), region: optional(text) }),
};

/** The fields of a provider, by its kind. */
export const providerRule: Rule = (value, at) => {
  const kind = isPlain(value) ? String(value.kind) : '';
  if (Object.hasOwn(kinds, kind)) return kinds[kind as ProviderSpec['kind']](value, at);
  return [at ? `${at}.kind` : 'kind', 'must be "openai", "chat", "anthropic" or "bedrock"'];
};

/** The settings of a model that is not only a name. */
const modelChoiceRule: Rule = either(
  isPlain,
  fields<ModelChoices>({
    provider: optional(providerRule),
    // An empty one has a message of its own.
    name: anyText,
    effort: optional(oneOf('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max')),
    verbosity: optional(oneOf('low', 'medium', 'high')),
    maxOutputTokens: optional(number),
    temperature: optional(number),
    background: optional(oneOf(true, false)),
    takes: optional(listOf(oneOf(...takenKinds))),
    guardrail: optional(fields<Guardrail>({ id: text, version: text, trace: optional(oneOf('enabled', 'disabled')) })),
    extra: optional(json),
    // In an agent that is defined.
    otherwise: optional(listOf((value, at) => modelChoiceRule(value, at))),
  }),
  (_, at) => [at, 'must be the name of a model, or an object with a name'],
);

const oneModel = either(isText, text, modelChoiceRule);
/** A model, or a list of them. */
export const modelRule: Rule = either(Array.isArray, listOf(oneModel), oneModel);
