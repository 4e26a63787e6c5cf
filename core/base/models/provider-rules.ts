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
  type RulesOf,
  text,
} from '../schemas/definition';
import { allKinds } from './kinds';
import { takenKinds } from './models';
import type { ChoiceOfKinds, ModelChoices } from './provider';

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
export const providerRule: Rule = (value, at) => {
  const name = isPlain(value) ? String(value.kind) : '';
  const known = allKinds.find(({ kind }) => kind === name);
  return known ? known.rule(value, at) : oneOf(...allKinds.map(({ kind }) => kind))(name, at ? `${at}.kind` : 'kind');
};

/** The additional settings of the models of one kind. */
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
