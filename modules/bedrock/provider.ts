import { always, type Place, type ProviderKind, type Right } from '../../core/base/models/provider-kind';
import { fields, oneOf, optional, text } from '../../core/base/schemas/definition';

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

/** What a model of Bedrock may have more. */
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
  checkChoice({ guardrail, extra = {} }) {
    if (guardrail && !/^(?:[a-z0-9]+|arn:aws[^:]*:bedrock:[a-z0-9-]+:\d{12}:guardrail\/[a-z0-9]+)$/.test(guardrail.id))
      return ['guardrail.id', 'must be the id or the ARN of a guardrail'];
    if (guardrail && !/^(?:[1-9]\d{0,7}|DRAFT)$/.test(guardrail.version))
      return ['guardrail.version', 'must be a number as a text, or "DRAFT"'];
    if (Object.hasOwn(extra, 'guardrailConfig'))
      return ['extra.guardrailConfig', 'no model reads it there: use "guardrail: { id, version }"'];
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
  rights(calls, place) {
    const [models, profiles, guardrails] = [new Set<string>(), new Set<string>(), new Set<string>()];
    for (const { provider, choice } of calls) {
      const at = { ...place, region: provider.region ?? place.region };
      if (choice.guardrail) guardrails.add(guardrailArn(choice.guardrail, at));
      if (choice.name.startsWith('arn:')) profiles.add(choice.name);
      else for (const arn of modelArns(choice.name, at)) models.add(arn);
    }
    return rightsTo({ models: [...models], profiles: [...profiles], guardrails: [...guardrails] }, place);
  },
};

/** The rights to invoke these models and to apply these guardrails, and no others. */
function rightsTo(
  { models, profiles, guardrails }: Record<'models' | 'profiles' | 'guardrails', string[]>,
  { partition, account }: Place,
): Right[] {
  const action = 'bedrock:InvokeModelWithResponseStream';
  const named: Right = {
    action,
    resources: [...models, ...profiles],
    reason: 'An inference profile invokes its model in any of its regions; the model is named.',
  };
  // Only its owner knows the models behind an application inference profile. So any model may be invoked, but only
  // through that profile.
  const throughProfiles: Right = {
    action,
    resources: [
      `arn:${partition}:bedrock:*::foundation-model/*`,
      `arn:${partition}:bedrock:*:${account}:inference-profile/*`,
    ],
    conditions: { StringEquals: { 'bedrock:InferenceProfileArn': profiles } },
    reason: 'Only through the inference profiles that agents name.',
  };
  return [
    ...(guardrails.length > 0 ? [{ action: 'bedrock:ApplyGuardrail', resources: guardrails }] : []),
    ...(named.resources.length > 0 ? [named] : []),
    ...(profiles.length > 0 ? [throughProfiles] : []),
  ];
}

const guardrailArn = ({ id }: Guardrail, { partition, account, region }: Place): string =>
  id.startsWith('arn:') ? id : `arn:${partition}:bedrock:${region}:${account}:guardrail/${id}`;

/**
 * Returns the ARNs for a model. An inference profile routes to its model in several regions and needs the right to
 * both.
 */
function modelArns(name: string, { partition, account, region }: Place): string[] {
  const [, model] = /^(?:us-gov|us|eu|apac|ap|au|jp|ca|sa|global)\.(.+)$/.exec(name) ?? [];
  if (!model) return [`arn:${partition}:bedrock:${region}::foundation-model/${name}`];
  return [
    `arn:${partition}:bedrock:${region}:${account}:inference-profile/${name}`,
    `arn:${partition}:bedrock:*::foundation-model/${model}`,
  ];
}
