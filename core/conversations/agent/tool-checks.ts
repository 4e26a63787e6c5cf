import { namesIn } from 'vigil-client/shared';
import * as z from 'zod';
import {
  anyText,
  callable,
  checkOptions,
  decides,
  either,
  fields,
  flag,
  isPlain,
  isText,
  isTitle,
  listOf,
  number,
  oneOf,
  optional,
  type Problem,
  type Rule,
  type RulesOf,
  recordOf,
  rule,
  text,
} from '../../base/schemas/definition';
import { Inexpressible, type JsonSchema } from '../../base/schemas/model-schema';
import { modelTool } from '../../base/schemas/model-tool';
import { assertJson } from '../../base/schemas/result-schema';
import type { Retry } from '../../base/state/failed-attempts';
import { longestWaitSeconds } from '../../base/state/waiting';
import { ConfigurationError } from '../../base/text/errors';
import { type ApprovalStep, type OtherApprovers, stepsIn } from './approvers';
import {
  type Approval,
  type CallbackTool,
  type DelegateTool,
  type FunctionTool,
  type HandOffTool,
  longestIsolatedSeconds,
  type Needs,
  type Patience,
  type People,
  type PersonTool,
  type ReadOnTool,
  type Reminders,
  reachesOutside,
  type Standing,
  type Tool,
  type WaitTool,
  type Webhook,
} from './tool';

/**
 * Checks what would otherwise fail in a deployment or at the first call.
 *
 * @throws ConfigurationError naming the tool and the field.
 */
export function checkedTool<Kind extends Tool>(tool: Kind): Kind {
  if (checkedBefore.has(tool)) return tool;
  checkOptions(whose(tool), tool, rulesOf(tool));
  if (!/^[a-z][a-z0-9_]{0,49}$/.test(tool.name))
    refuse(tool, 'name', 'use snake_case, a letter first, at most 50 characters');
  if (tool.title !== undefined && !isTitle(tool.title))
    refuse(tool, 'title', 'use at most 60 characters on one line, without quotes');
  checkSchema(tool);
  refusing(tool, 'input', () => modelTool(tool));
  if (tool.kind === 'callback' || tool.kind === 'delegate') checkPatience(tool, '', tool);
  if (tool.kind === 'function') {
    refusing(tool, 'output', () => assertJson(tool.output));
    if (tool.webhook?.accepts) refusing(tool, 'webhook.accepts', () => assertJson(tool.webhook!.accepts!));
    checkFunction(tool);
  }
  checkedBefore.add(tool);
  return tool;
}

function refusing(tool: Tool, field: 'input' | 'output' | 'webhook.accepts', check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof Inexpressible)) throw error;
    refuse(tool, `${field}${error.path}`, error.problem);
  }
}

const checkedBefore = new WeakSet<Tool>();

export const zodObject = rule((value) => value instanceof z.ZodObject, 'must be a z.object(…)');
const zodType = rule((value) => value instanceof z.ZodType, 'must be a schema of zod');
const patience: RulesOf<Patience> = { expiresInSeconds: number, fallback: text };
const common = {
  name: text,
  description: text,
  input: zodObject,
  strict: optional(oneOf(false)),
  title: optional(text),
};
const oneApprover = either(isText, oneOf('owner'), (value, at) =>
  isPlain(value) && 'claim' in value
    ? fields<{ claim: string; value: string }>({ claim: text, value: anyText })(value, at)
    : fields<{ group: string }>({ group: text })(value, at),
);
const escalation = fields<NonNullable<ApprovalStep['escalation']>>({ afterSeconds: number, to: oneApprover });
const reminders = fields<Reminders>({ everySeconds: number, atMost: optional(number) });
const step = fields<ApprovalStep>({ by: oneApprover, count: optional(number), escalation: optional(escalation) });
/** Those who may take over from an agent. */
export const peopleRule = fields<People>({
  group: text,
  purpose: text,
  escalation: optional(escalation),
  reminders: optional(reminders),
  expiresInSeconds: optional(number),
  fallback: optional(anyText),
  mayStepIn: optional(oneOf(true)),
});
const approval = fields<Approval>({
  when: decides,
  prompt: either(Array.isArray, listOf(text), text),
  kinds: optional(decides),
  money: optional(recordOf(text)),
  approvers: optional(either(Array.isArray, listOf(step), oneApprover)),
  standing: optional(
    fields<Standing>({ mayDiffer: optional(listOf(text)), mostCalls: optional(number), mostDays: optional(number) }),
  ),
  reminders: optional(reminders),
  excludesOwner: optional(oneOf(true)),
  showsMessages: optional(number),
  expiresInSeconds: optional(number),
  fallback: optional(anyText),
});

/** A tool of another definition. */
const aTool: Rule = (value, at) =>
  isPlain(value) && 'name' in value && 'kind' in value ? undefined : [at, 'must be what defineTool returns'];

const functionTool: RulesOf<FunctionTool> & { compensates: Rule } = {
  ...common,
  kind: oneOf('function'),
  output: zodType,
  effect: oneOf('read', 'table', 'idempotent', 'once'),
  retry: fields<Retry>({ maxAttempts: number, intervalSeconds: number, backoffRate: number, maxDelaySeconds: number }),
  timeoutSeconds: number,
  memoryMiB: number,
  maxResultBytes: number,
  needs: optional(
    fields<Needs>({
      secrets: optional(listOf(text)),
      variables: optional(listOf(text)),
      optional: optional(listOf(text)),
      embeddings: optional(flag),
      partitions: optional(listOf(text)),
      timers: optional(oneOf(true)),
      files: optional(oneOf(true)),
    }),
  ),
  isolated: optional(oneOf(true)),
  foreign: optional(oneOf(true)),
  server: optional(text),
  elicitation: optional(oneOf('ask')),
  approval: optional(approval),
  source: optional(oneOf('web', 'person', 'system', 'file', 'unknown', 'none')),
  afterUntrusted: optional(decides),
  askedBy: optional(oneOf('owner', 'member')),
  webhook: optional(
    fields<Webhook>({
      delivers: oneOf('result', 'message'),
      ...patience,
      fallback: anyText,
      accepts: optional(zodType),
    }),
  ),
  verify: optional(aTool),
  check: optional(decides),
  execute: callable,
  compensate: optional(callable),
  // Of a foreign tool.
  compensates: optional(flag),
};

const rules: Record<Tool['kind'], Rule> = {
  function: fields<FunctionTool & { compensates?: boolean }>(functionTool),
  wait: fields<WaitTool>({ ...common, kind: oneOf('wait'), until: decides }),
  callback: fields<CallbackTool>({
    ...common,
    kind: oneOf('callback'),
    ...patience,
    fallback: anyText,
    prompt: decides,
  }),
  'hand-off': fields<HandOffTool>({ ...common, kind: oneOf('hand-off'), to: text }),
  delegate: fields<DelegateTool>({ ...common, kind: oneOf('delegate'), ...patience }),
  person: fields<PersonTool>({ ...common, kind: oneOf('person'), people: listOf(peopleRule) }),
  read: fields<ReadOnTool>({ ...common, kind: oneOf('read') }),
};

function rulesOf({ kind }: Tool): Rule {
  if (Object.hasOwn(rules, kind)) return rules[kind];
  return () => ['kind', `must be "function", "wait" or "callback": make a tool with defineTool`];
}

/** Returns the first name that a tool or a guard cannot need, and why. */
export function mistakeInNeeds({ secrets = [], variables = [], optional: unset }: Needs): Problem | undefined {
  const values = [...secrets, ...variables];
  for (const name of values)
    if (!/^[A-Z][A-Z0-9_]{0,63}$/.test(name)) return ['needs', `${name}: use UPPER_CASE, like an environment variable`];
    else if (/^(?:AWS_|LAMBDA_|(?:TABLE_NAME|API_URL|NODE_OPTIONS|TZ)$)/.test(name))
      return ['needs', `${name}: Lambda or Vigil sets it: use another name`];
  const twice = values.find((name, index) => values.indexOf(name) !== index);
  if (twice) return ['needs', `${twice} is listed twice`];
  const unknown = unset?.find((name) => !values.includes(name));
  return unknown === undefined ? undefined : ['needs.optional', `${unknown}: it is none of "secrets" and "variables"`];
}

function checkFunction(tool: FunctionTool): void {
  const { retry, needs = {}, approval, webhook, verify } = tool;
  whole(tool, 'timeoutSeconds', tool.timeoutSeconds, 1, 900);
  whole(tool, 'memoryMiB', tool.memoryMiB, 128, 10_240);
  whole(tool, 'maxResultBytes', tool.maxResultBytes, 1_000, 4_000_000);
  whole(tool, 'retry.maxAttempts', retry.maxAttempts, 0, 20);
  whole(tool, 'retry.intervalSeconds', retry.intervalSeconds, 1, 3_600);
  whole(tool, 'retry.maxDelaySeconds', retry.maxDelaySeconds, retry.intervalSeconds + 1, 31_536_000);
  if (!(retry.backoffRate >= 1 && retry.backoffRate <= 100))
    refuse(tool, 'retry.backoffRate', 'must be a number from 1 to 100');
  const wrong = mistakeInNeeds(needs);
  if (wrong) refuse(tool, ...wrong);
  for (const prefix of needs.partitions ?? [])
    if (!/^[A-Z]+#$/.test(prefix)) refuse(tool, 'needs.partitions', `${prefix}: use a prefix like "B#"`);
  if (tool.isolated) checkIsolated(tool);
  if (approval) {
    checkPatience(tool, 'approval.', approval);
    checkApprovers(tool, approval);
    checkMoney(tool, approval);
    checkPrompt(tool, approval);
    checkStanding(tool, approval);
  }
  if (webhook) checkPatience(tool, 'webhook.', webhook);
  const why = tool.source === undefined && reachesOutside(tool);
  if (why) refuse(tool, 'source', sourceMissing(why));
  if (verify && verify.effect !== 'read') refuse(tool, 'verify', `${verify.name} must have the effect "read"`);
  if (tool.effect === 'read' && tool.compensate) refuse(tool, 'compensate', 'a read has nothing to undo');
}

/** Words from outside count as such only if the tool says so. */
export const sourceMissing = (why: string): string =>
  `is missing: ${why}, so say where the words of its results come from: 'web', 'person' or 'system'; 'none' if they have no words from outside`;

/** Checks an isolated tool. What it returns may come from strangers, so it is a result and nothing else. */
function checkIsolated(tool: FunctionTool): void {
  if (tool.effect === 'table') refuse(tool, 'effect', 'an isolated tool writes no rows: use another effect');
  if (tool.webhook) refuse(tool, 'webhook', 'an isolated tool cannot have one');
  if (tool.needs?.partitions) refuse(tool, 'needs.partitions', 'an isolated tool reaches no rows: leave it out');
  if (tool.needs?.timers) refuse(tool, 'needs.timers', 'an isolated tool reaches no rows: leave it out');
  whole(tool, 'timeoutSeconds', tool.timeoutSeconds, 1, longestIsolatedSeconds);
  try {
    z.toJSONSchema(tool.input);
  } catch (error) {
    refuse(tool, 'input', `an isolated tool gets JSON: ${(error as Error).message}: transform it in execute`);
  }
}

/** The most messages that an approver may read. */
const shownMessages = 50;

/** The most steps of an approval, and the most people of a step. */
const [mostSteps, mostPeople] = [5, 10];
const mostReminders = 20;

function checkApprovers(tool: FunctionTool, { approvers, excludesOwner, showsMessages, reminders }: Approval): void {
  const field = 'approval.approvers';
  const steps = stepsIn(approvers);
  const at = (index: number) => (Array.isArray(approvers) ? `${field}[${index}].by` : field);
  if (steps.length === 0 || steps.length > mostSteps) refuse(tool, field, `name 1 to ${mostSteps} steps`);
  steps.forEach(({ by, count = 1, escalation }, index) => {
    const own = `${field}[${index}]`;
    whole(tool, `${own}.count`, count, 1, mostPeople);
    if (by !== 'owner') checkOthers(tool, at(index), by);
    else if (count > 1) refuse(tool, `${own}.count`, 'a conversation has one owner: leave it out');
    if (escalation && by === 'owner')
      refuse(tool, `${own}.escalation`, "the owner's step cannot escalate: name other approvers");
    checkEscalation(tool, own, escalation);
  });
  checkReminders(tool, 'approval', reminders);
  if (steps.every(({ by }) => by === 'owner')) {
    if (steps.length > 1) refuse(tool, field, 'the owner decides once: name other approvers');
    if (excludesOwner) refuse(tool, 'approval.excludesOwner', 'nobody could decide: name approvers');
    if (showsMessages !== undefined)
      refuse(tool, 'approval.showsMessages', 'the owner sees the whole conversation: leave it out, or name approvers');
    return;
  }
  if (excludesOwner && steps.some(({ by }) => by === 'owner'))
    refuse(tool, 'approval.excludesOwner', "a step is the owner's: nobody could decide it");
  if (showsMessages !== undefined) whole(tool, 'approval.showsMessages', showsMessages, 0, shownMessages);
}

function checkEscalation(tool: Refused, field: string, escalation: ApprovalStep['escalation']): void {
  if (!escalation) return;
  whole(tool, `${field}.escalation.afterSeconds`, escalation.afterSeconds, 60, longestWaitSeconds);
  if ((escalation.to as unknown) === 'owner')
    refuse(tool, `${field}.escalation.to`, 'name a group or a claim: the owner is asked in a step of their own');
  checkOthers(tool, `${field}.escalation.to`, escalation.to);
}

function checkReminders(tool: Refused, field: string, reminders: Reminders | undefined): void {
  if (!reminders) return;
  whole(tool, `${field}.reminders.everySeconds`, reminders.everySeconds, 60, longestWaitSeconds);
  if (reminders.atMost !== undefined) whole(tool, `${field}.reminders.atMost`, reminders.atMost, 1, mostReminders);
}

/** Checks those who may take over from an agent. */
export function checkPeople(people: readonly People[], refused: Refused): void {
  const groups = people.map(({ group }) => group);
  people.forEach((one, index) => {
    const field = `people[${index}]`;
    if (groups.indexOf(one.group) < index) refuse(refused, `${field}.group`, `${one.group} is listed twice`);
    checkOthers(refused, field, one);
    checkEscalation(refused, field, one.escalation);
    checkReminders(refused, field, one.reminders);
    checkPatience(refused, `${field}.`, one);
  });
}

function checkOthers(tool: Refused, field: string, approvers: OtherApprovers): void {
  if ('group' in approvers) {
    // A token lists the groups with spaces between them.
    if (!/^\S{1,128}$/.test(approvers.group)) refuse(tool, `${field}.group`, 'use 1 to 128 characters without spaces');
    return;
  }
  const { claim, value } = approvers;
  if (!/^[^\s=]{1,128}$/.test(claim)) refuse(tool, `${field}.claim`, 'use 1 to 128 characters without spaces and "="');
  if (claim === 'cognito:groups') refuse(tool, `${field}.claim`, 'name a group instead: { group: "finance" }');
  if (!/^.{1,256}$/.test(value)) refuse(tool, `${field}.value`, 'use 1 to 256 characters on one line');
}

function checkStanding(tool: FunctionTool, { standing, approvers, money = {} }: Approval): void {
  if (!standing) return;
  const { mayDiffer = [], mostCalls = 1, mostDays = 1 } = standing;
  if (stepsIn(approvers).some(({ by }) => by !== 'owner'))
    refuse(
      tool,
      'approval.standing',
      'others decide about this tool: only what the owner decides can be allowed for later',
    );
  for (const name of mayDiffer) {
    if (!Object.hasOwn(tool.input.shape, name))
      refuse(tool, 'approval.standing.mayDiffer', `the input has no field ${name}`);
    if (Object.hasOwn(money, name))
      refuse(tool, 'approval.standing.mayDiffer', `${name} is money, which has its own limit`);
  }
  whole(tool, 'approval.standing.mostCalls', mostCalls, 1, 100);
  whole(tool, 'approval.standing.mostDays', mostDays, 1, 90);
}

function checkMoney(tool: FunctionTool, { money = {} }: Approval): void {
  for (const [name, currency] of Object.entries(money)) {
    if (!Object.hasOwn(tool.input.shape, name)) refuse(tool, `approval.money.${name}`, 'the input has no such field');
    if (!isInteger(modelTool(tool).parameters.properties[name]))
      refuse(tool, `approval.money.${name}`, 'must be a whole number of the smallest unit: use z.int()');
    if (!Intl.supportedValuesOf('currency').includes(currency))
      refuse(tool, `approval.money.${name}`, `${currency} is no currency: use a code like "USD"`);
  }
}

function checkPrompt(tool: FunctionTool, { prompt }: Approval): void {
  if (prompt.length === 0) refuse(tool, 'approval.prompt', 'is empty');
  for (const name of [prompt].flat().flatMap(namesIn))
    if (!Object.hasOwn(tool.input.shape, name))
      refuse(tool, 'approval.prompt', `{${name}}: the input has no such field`);
}

const isInteger = ({ type, anyOf = [] }: JsonSchema): boolean =>
  [type].flat().includes('integer') || anyOf.some(isInteger);

function checkPatience(tool: Refused, prefix: string, { expiresInSeconds, fallback }: Partial<Patience>): void {
  if (expiresInSeconds !== undefined) whole(tool, `${prefix}expiresInSeconds`, expiresInSeconds, 1, longestWaitSeconds);
  if (fallback !== undefined && !fallback.trim()) refuse(tool, `${prefix}fallback`, 'is empty');
}

/** A model reads what each field is. */
function checkSchema(tool: Tool): void {
  const { shape } = tool.input;
  for (const [field, schema] of Object.entries<unknown>(shape)) {
    if (!(schema instanceof z.ZodType)) refuse(tool, `input.${field}`, 'must be a schema of zod');
    const { description } = schema as z.ZodType;
    if (typeof description !== 'string' || !description.trim())
      refuse(tool, `input.${field}`, 'add .describe() for the model');
  }
}

function whole(tool: Refused, field: string, value: number, from: number, to: number): void {
  if (!Number.isInteger(value) || value < from || value > to)
    refuse(tool, field, `must be a whole number from ${from} to ${to}`);
}

const whose = ({ name }: Tool): string => `tool ${name ?? 'without a name'}`;

/** What is refused: a tool, or what has errors of its own. */
type Refused = Tool | ((field: string, rule: string) => never);

function refuse(tool: Refused, field: string, rule: string): never {
  if (typeof tool === 'function') return tool(field, rule);
  throw new ConfigurationError(`${whose(tool)}: ${field}: ${rule}`);
}
