import { isHosted } from '../../base/models/hosted';
import { factsOf } from '../../base/models/models';
import { modelsOf } from '../../base/models/provider';
import { modelRule } from '../../base/models/provider-rules';
import {
  anyText,
  anything,
  callable,
  checkOptions,
  decides,
  either,
  fields,
  flag,
  isPlain,
  isText,
  listOf,
  number,
  oneOf,
  optional,
  type Rule,
  recordOf,
  text,
} from '../../base/schemas/definition';
import { Inexpressible, modelSchema } from '../../base/schemas/model-schema';
import { assertJson } from '../../base/schemas/result-schema';
import { ConfigurationError, InvalidInput } from '../../base/text/errors';
import { checkJitter, ruleOfTimes } from '../../base/time/schedule';
import { aGuard, checkedGuard } from '../guards/guard-checks';
import type { Agent, AgentSpec, Limits, Schedule } from './agent';
import { policyRules } from './table-effect';
import { checkedTool, checkPeople, peopleRule, zodObject } from './tool-checks';

const aTool: Rule = (value, at) =>
  isPlain(value) && 'kind' in value ? undefined : [at, 'must be what defineTool or a function of hosted returns'];
const limit = optional(number);

const kebabCase = /^[a-z][a-z0-9-]{0,49}$/;
const kebabWords = 'use kebab-case, a letter first, at most 50 characters';

const schedule = fields<Schedule>({
  name: text,
  text: optional(text),
  input: optional(recordOf(anything)),
  cron: optional(text),
  every: optional(text),
  timeZone: optional(text),
  ...policyRules,
  for: either(isText, oneOf('deployment'), callable),
});

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
  schedules: optional(listOf(schedule)),
  holdFailedDays: optional(number),
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
  if (!kebabCase.test(spec.name)) refuse('name', kebabWords);
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
  for (const [index, one] of (spec.schedules ?? []).entries()) {
    const [field, problem] = mistakeIn(one, spec.schedules!.slice(0, index)) ?? [];
    if (field) refuse(`schedules[${index}].${field}`, problem!);
  }
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

/** Returns the first field of a schedule that is wrong, and why. */
function mistakeIn(schedule: Schedule, earlier: readonly Schedule[]): [field: string, problem: string] | undefined {
  const { name, text: said, input, jitterSeconds } = schedule;
  if (!kebabCase.test(name)) return ['name', kebabWords];
  if (earlier.some((other) => other.name === name)) return ['name', `${name} is used twice`];
  if ((said === undefined) === (input === undefined)) return ['text', 'give either "text" or "input"'];
  try {
    checkJitter(ruleOfTimes(schedule, new Date()), jitterSeconds);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidInput) return [error.path, error.message];
    throw error;
  }
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
