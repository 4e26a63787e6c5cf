import { checkOptions, isKebabCase, kebabWords, type Problem } from '../schemas/definition';
import { ConfigurationError } from '../text/errors';
import { allKinds, deployedProvider, kindOf, kindsOfOwn } from './kinds';
import type { ModelChoice, Provider } from './provider';
import { providerRule } from './provider-rules';

/** @throws ConfigurationError naming the provider and the field. */
export function checkProvider(spec: Provider): void {
  const whose = `provider ${spec?.name ?? 'without a name'}`;
  const wrong = (field: string, problem: string) => new ConfigurationError(`${whose}: ${field}: ${problem}`);
  checkOptions(whose, spec, providerRule);
  if (!isKebabCase(spec.name)) throw wrong('name', kebabWords);
  if (spec.name === deployedProvider)
    throw wrong('name', `"${deployedProvider}" is reserved for the provider of OPENAI_BASE_URL`);
  const problem = kindOf(spec).check?.(spec);
  if (problem) throw wrong(...problem);
}

/** Each of them may delay a step by its failures. */
const mostModels = 4;

/** Checks an agent's models, the first choice first. @throws ConfigurationError, whose message begins with `whose`. */
export function checkModels(models: readonly ModelChoice[], whose: string): void {
  const wrong = (field: string, problem: string) => new ConfigurationError(`${whose}: ${field}: ${problem}`);
  if (models.length === 0) throw wrong('model', 'is an empty list');
  if (models.length > mostModels) throw wrong('model', `is a list of more than ${mostModels} models`);
  for (const [index, model] of models.entries()) {
    const { name, provider, maxOutputTokens = 16, temperature = 0 } = model;
    const field = models.length > 1 ? `model[${index}]` : 'model';
    if (!name?.trim()) throw wrong(field, 'has no name');
    if (!provider && kindsOfOwn.length === 0) throw wrong(`${field}.provider`, 'is missing: no module has a default');
    if (!Number.isInteger(maxOutputTokens) || maxOutputTokens < 16)
      throw wrong(`${field}.maxOutputTokens`, 'must be a whole number of at least 16');
    if (!(temperature >= 0 && temperature <= 2)) throw wrong(`${field}.temperature`, 'must be a number from 0 to 2');
    const [setting, problem] = problemOfKind(model) ?? [];
    if (setting !== undefined) throw wrong(`${field}.${setting}`, problem!);
    const isSame = (other: ModelChoice) => other.name === name && other.provider?.name === provider?.name;
    if (models.findIndex(isSame) < index) throw wrong(field, `${name} is listed twice`);
  }
}

/** Returns what the model's own kind says of its settings, and settings that only another kind has. */
function problemOfKind(model: ModelChoice): Problem | undefined {
  const { provider, extra = {} } = model;
  const problem = provider && kindOf(provider).checkChoice?.(model);
  if (problem) return problem;
  for (const { kind, choice = {}, notInExtra = {} } of allKinds) {
    for (const [field, { elsewhere }] of Object.entries(choice))
      if (kind !== provider?.kind && model[field as keyof ModelChoice] !== undefined) return [field, elsewhere];
    for (const [field, instead] of Object.entries(notInExtra))
      if (Object.hasOwn(extra, field)) return [`extra.${field}`, instead];
  }
  return undefined;
}
