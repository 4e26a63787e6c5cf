import { always, type ProviderKind } from '../../core/base/models/provider-kind';
import { fields, oneOf, optional, text } from '../../core/base/schemas/definition';
import { rights } from './rights';

/**
 * Amazon Bedrock's Converse API, with the function's role. A model's name is the id of a foundation model or of an inference profile
 * (`us.…`, `global.…`).
 */
export interface BedrockSpec {
  name: string;
  kind: 'bedrock';
  region?: string;
}

export interface Guardrail {
  /** Its id or ARN. */
  id: string;
  /** A number, or `DRAFT`. */
  version: string;
  /** `enabled` by default: without it, Bedrock does not say whether it refuses the message or the reply. */
  trace?: 'enabled' | 'disabled';
}

/** The additional settings of Bedrock's models. */
export interface BedrockChoice {
  /** A guardrail of Amazon Bedrock, which checks each request and reply of the model. Only for a provider of the kind `bedrock`. */
  guardrail?: Guardrail;
}

export const bedrockKind: ProviderKind<BedrockSpec, BedrockChoice> = {
  kind: 'bedrock',
  module: 'bedrock',
  isServer: false,
  rule: fields<BedrockSpec>({ name: text, kind: oneOf('bedrock'), region: optional(text) }),
  check: ({ region }) =>
    region === undefined || /^[a-z]{2}(?:-[a-z]+)+-\d$/.test(region)
      ? undefined
      : ['region', 'must be the name of an AWS region'],
  choice: {
    guardrail: {
      rule: fields<Guardrail>({ id: text, version: text, trace: optional(oneOf('enabled', 'disabled')) }),
      elsewhere: 'only a provider of the kind "bedrock" has guardrails: use "guards" of the agent',
    },
  },
  notInExtra: { guardrailConfig: 'no model reads it there: use "guardrail: { id, version }"' },
  checkChoice({ guardrail }) {
    if (guardrail && !/^(?:[a-z0-9]+|arn:aws[^:]*:bedrock:[a-z0-9-]+:\d{12}:guardrail\/[a-z0-9]+)$/.test(guardrail.id))
      return ['guardrail.id', 'must be the id or the ARN of a guardrail'];
    if (guardrail && !/^(?:[1-9]\d{0,7}|DRAFT)$/.test(guardrail.version))
      return ['guardrail.version', 'must be a number as a text, or "DRAFT"'];
    return undefined;
  },
  // `extra` becomes `additionalModelRequestFields`: fields of the model's own API, beside those that Converse writes.
  sets: {
    messages: always,
    system: always,
    tools: always,
    max_tokens: ['maxOutputTokens'],
    temperature: ['temperature'],
  },
  hosted: {},
  rights,
};
