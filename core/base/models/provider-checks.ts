import { isDeepStrictEqual } from 'node:util';
import {
  anyText,
  checkOptions,
  either,
  fields,
  isPlain,
  isText,
  listOf,
  number,
  oneOf,
  optional,
  type Problem,
  type Rule,
  type RulesOf,
  text,
} from '../schemas/definition';
import { ConfigurationError } from '../text/errors';
import { allKinds, deployedProvider, kindOf, kindsOfOwn } from './kinds';
import { takenKinds } from './models';
import type { ChoiceOfKinds, ModelChoice, ModelChoices, Provider } from './provider';

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

/** The fields of a provider, by its kind. */
const providerRule: Rule = (value, at) => {
  const name = isPlain(value) ? String(value.kind) : '';
  const known = allKinds.find(({ kind }) => kind === name);
  return known ? known.rule(value, at) : oneOf(...allKinds.map(({ kind }) => kind))(name, at ? `${at}.kind` : 'kind');
};

/** @throws ConfigurationError naming the provider and the field. */
export function checkProvider(spec: Provider): void {
  const whose = `provider ${spec?.name ?? 'without a name'}`;
  const wrong = (field: string, problem: string) => new ConfigurationError(`${whose}: ${field}: ${problem}`);
  checkOptions(whose, spec, providerRule);
  if (!/^[a-z][a-z0-9-]{0,49}$/.test(spec.name))
    throw wrong('name', 'use kebab-case, a letter first, at most 50 characters');
  if (spec.name === deployedProvider)
    throw wrong('name', `"${deployedProvider}" is reserved for the provider of OPENAI_BASE_URL`);
  const problem = kindOf(spec).check?.(spec);
  if (problem) throw wrong(...problem);
}

/** The settings that models of one kind have more. */
const ofKinds = Object.fromEntries(
  allKinds.flatMap(({ choice = {} }) => Object.entries(choice).map(([field, { rule }]) => [field, optional(rule)])),
) as RulesOf<ChoiceOfKinds>;

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
    ...ofKinds,
    extra: optional(json),
    // In an agent that is defined.
    otherwise: optional(listOf((value, at) => modelChoiceRule(value, at))),
  }),
  (_, at) => [at, 'must be the name of a model, or an object with a name'],
);

const oneModel = either(isText, text, modelChoiceRule);
/** A model, or a list of them. */
export const modelRule: Rule = either(Array.isArray, listOf(oneModel), oneModel);

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

/** Settings that only another kind has, and what the model's own kind says of its settings. */
function problemOfKind(model: ModelChoice): Problem | undefined {
  const { provider } = model;
  for (const { kind, choice = {} } of allKinds)
    for (const [field, { elsewhere }] of Object.entries(choice))
      if (kind !== provider?.kind && model[field as keyof ModelChoice] !== undefined) return [field, elsewhere];
  return provider && kindOf(provider).checkChoice?.(model);
}
