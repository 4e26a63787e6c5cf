import type { Place, ProviderKind, Right } from '../../core/base/models/provider-kind';
import type { BedrockChoice, BedrockSpec, Guardrail } from './provider';

/** The rights to invoke the models and to apply the guardrails of these calls, and no others. */
export function rights(
  calls: Parameters<NonNullable<ProviderKind<BedrockSpec, BedrockChoice>['rights']>>[0],
  place: Place,
): Right[] {
  const [models, profiles, guardrails] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { provider, choice } of calls) {
    const at = { ...place, region: provider.region ?? place.region };
    if (choice.guardrail) guardrails.add(guardrailArn(choice.guardrail, at));
    if (choice.name.startsWith('arn:')) profiles.add(choice.name);
    else for (const arn of modelArns(choice.name, at)) models.add(arn);
  }
  return rightsTo({ models: [...models], profiles: [...profiles], guardrails: [...guardrails] }, place);
}

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
