import { isHosted } from '../../base/models/hosted';
import { factsOf } from '../../base/models/models';
import { modelsOf } from '../../base/models/provider';
import { modelRule } from '../../base/models/provider-rules';
import {
  anyText,
  callable,
  checkOptions,
  decides,
  either,
  fields,
  flag,
  isKebabCase,
  isPlain,
  isText,
  kebabWords,
  listOf,
  number,
  oneOf,
  optional,
  type Rule,
  text,
} from '../../base/schemas/definition';
import { Inexpressible, modelSchema } from '../../base/schemas/model-schema';
import { assertJson } from '../../base/schemas/result-schema';
import { ConfigurationError } from '../../base/text/errors';
import { aGuard, checkedGuard } from '../guards/guard-checks';
import type { Agent, AgentSpec, Limits } from './agent';
import { mistakeOfModules, rulesOfModules } from './agent-field';
import { checkedTool, checkPeople, peopleRule, zodObject } from './tool-checks';

const aTool: Rule = (value, at) =>
  isPlain(value) && 'kind' in value ? undefined : [at, 'must be what defineTool or a function of hosted returns'];
const limit = optional(number);

const agentSpec = fields<AgentSpec & { hosted?: unknown }>({
  name: text,
  purpose: text,
  examples: optional(listOf(text)),
  instructions: either(isText, text, decides),
  model: modelRule,
  summaryModel: optional(modelRule),
  tools: listOf(aTool),
  // Of a defined agent.
  hosted: optional(listOf(aTool)),
  handOffs: optional(listOf(text)),
  delegates: optional(listOf(text)),
  people: optional(listOf(peopleRule)),
  limits: optional(fields<Limits>({ steps: limit, tokens: limit, costMicrodollars: limit, seconds: limit })),
  contextTokens: optional(number),
  end: optional(fields<{ phrase: string }>({ phrase: anyText })),
  output: optional(zodObject),
  recall: optional(flag),
  onMessage: optional(oneOf('merge', 'interrupt', 'queue', 'reject')),
  review: optional(callable),
  guards: optional(listOf(aGuard)),
  holdFailedDays: optional(number),
  ...rulesOfModules,
});

/**
 * Checks an agent as its author declares it, and its tools.
 *
 * @throws ConfigurationError naming the agent and the field.
 */
export function checkSpec(spec: AgentSpec): void {
  const whose = `agent ${spec?.name ?? 'without a name'}`;
  const refuse = (field: string, problem: string): never => {
    throw new ConfigurationError(`${whose}: ${field}: ${problem}`);
  };
  checkOptions(whose, spec, agentSpec);
  if (!isKebabCase(spec.name)) refuse('name', kebabWords);
  // A tool that is no result of defineTool has not been checked.
  for (const tool of spec.tools) if (!isHosted(tool)) checkedTool(tool);
  const names = spec.tools.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) refuse('tools', `${twice} is listed twice`);
  for (const field of ['handOffs', 'delegates'] as const) {
    const others = spec[field] ?? [];
    const again = others.find((name, index) => others.indexOf(name) !== index);
    if (again) refuse(field, `${again} is listed twice`);
  }
  checkPeople(spec.people ?? [], refuse);
  const guards = (spec.guards ?? []).map((guard) => checkedGuard(guard).name);
  const listed = guards.find((name, index) => guards.indexOf(name) !== index);
  if (listed) refuse('guards', `${listed} is listed twice`);
  const ofModules = mistakeOfModules(spec);
  if (ofModules) refuse(...ofModules);
  if (spec.end && !spec.end.phrase.trim()) refuse('end.phrase', 'is empty');
  if (spec.end && spec.output) refuse('output', 'an agent ends by a phrase or with an object, not both');
  try {
    if (spec.output) modelSchema(spec.output);
    if (spec.output) assertJson(spec.output);
  } catch (error) {
    if (!(error instanceof Inexpressible)) throw error;
    refuse(`output${error.path}`, error.problem);
  }
  for (const [name, value] of Object.entries(spec.limits ?? {}))
    if (value !== undefined && (!Number.isInteger(value) || value < 1))
      refuse(`limits.${name}`, 'must be a whole number of at least 1');
}

/** Checks what an agent's file exports: every export is an agent. @throws ConfigurationError naming the agent and the field. */
export function checkRegistered(agent: Agent): void {
  if (isPlain(agent) && typeof agent.name === 'string' && agent.limits?.steps && isPlain(agent.model)) {
    checkSpec(agent);
    return;
  }
  const what =
    isPlain(agent) && agent.name
      ? `agent ${agent.name}`
      : `an export that is ${agent === null ? 'null' : isPlain(agent) || Array.isArray(agent) ? 'an object' : `a ${typeof agent}`}`;
  throw new ConfigurationError(
    `${what}: an agent's file exports agents only: make them with defineAgent, and keep the rest unexported`,
  );
}

/** Checks the agent with its defaults. @throws ConfigurationError naming the agent and the field. */
export function checkAgent({ name, holdFailedDays, contextTokens, model, summaryModel }: Agent): void {
  const refuse = (field: string, problem: string): never => {
    throw new ConfigurationError(`agent ${name}: ${field}: ${problem}`);
  };
  if (!(holdFailedDays >= 0 && holdFailedDays <= 300)) refuse('holdFailedDays', 'must be a number from 0 to 300');
  if (!(contextTokens >= 1_000)) refuse('contextTokens', 'must be a number of at least 1000');
  for (const { name: modelName } of [model, summaryModel].flatMap(modelsOf)) {
    const { window = Number.POSITIVE_INFINITY } = factsOf(modelName);
    if (contextTokens > window) refuse('contextTokens', `${modelName} has a window of ${window} tokens`);
  }
}
