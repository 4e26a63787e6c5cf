import type * as z from 'zod';
import { longestWaitSeconds } from '../state/waiting';
import { ConfigurationError } from '../text/errors';
import { modelTool, nullableInstead, optionalField } from './model-tool';
import { type Approval, type FunctionTool, longestIsolatedSeconds, type Patience, type Tool } from './tool';

/**
 * Checks what would otherwise fail in a deployment or at the first call.
 *
 * @throws ConfigurationError naming the tool and the field.
 */
export function checkedTool<Kind extends Tool>(tool: Kind): Kind {
  if (!/^[a-z][a-z0-9_]{0,49}$/.test(tool.name))
    refuse(tool, 'name', 'use snake_case, a letter first, at most 50 characters');
  checkSchema(tool);
  try {
    modelTool(tool);
  } catch (error) {
    refuse(tool, 'input', `cannot be converted to a JSON schema: ${(error as Error).message}`);
  }
  if (tool.kind === 'callback' || tool.kind === 'delegate') checkPatience(tool, '', tool);
  if (tool.kind === 'function') checkFunction(tool);
  return tool;
}

function checkFunction(tool: FunctionTool): void {
  const { retry, needs = {}, approval, webhook, verify } = tool;
  whole(tool, 'timeoutSeconds', tool.timeoutSeconds, 1, 900);
  whole(tool, 'memoryMiB', tool.memoryMiB, 128, 10_240);
  whole(tool, 'maxResultBytes', tool.maxResultBytes, 1_000, 4_000_000);
  whole(tool, 'retry.maxAttempts', retry.maxAttempts, 0, 20);
  whole(tool, 'retry.intervalSeconds', retry.intervalSeconds, 1, 3_600);
  whole(tool, 'retry.maxDelaySeconds', retry.maxDelaySeconds, retry.intervalSeconds + 1, 31_536_000);
  if (!(retry.backoffRate >= 1)) refuse(tool, 'retry.backoffRate', 'must be a number of at least 1');
  for (const name of [...Object.keys(needs.secrets ?? {}), ...(needs.variables ?? []), ...(needs.topics ?? [])])
    if (!/^[A-Z][A-Z0-9_]{0,63}$/.test(name))
      refuse(tool, 'needs', `${name}: use UPPER_CASE, like an environment variable`);
  for (const prefix of needs.partitions ?? [])
    if (!/^[A-Z]+#$/.test(prefix)) refuse(tool, 'needs.partitions', `${prefix}: use a prefix like "B#"`);
  if (tool.isolated) checkIsolated(tool);
  if (approval) {
    checkPatience(tool, 'approval.', approval);
    checkApprovers(tool, approval);
    checkMoney(tool, approval);
  }
  if (webhook) checkPatience(tool, 'webhook.', webhook);
  if (verify && verify.effect !== 'read') refuse(tool, 'verify', `${verify.name} must have the effect "read"`);
  if (tool.effect === 'read' && tool.compensate) refuse(tool, 'compensate', 'a read has nothing to undo');
}

/** What an isolated tool returns may come from strangers, so it is a result and nothing else. */
function checkIsolated(tool: FunctionTool): void {
  if (tool.effect === 'table') refuse(tool, 'effect', 'an isolated tool writes no rows: use another effect');
  if (tool.webhook) refuse(tool, 'webhook', 'an isolated tool cannot have one');
  if (tool.needs?.partitions) refuse(tool, 'needs.partitions', 'an isolated tool reaches no rows: leave it out');
  if (tool.needs?.timers) refuse(tool, 'needs.timers', 'an isolated tool reaches no rows: leave it out');
  whole(tool, 'timeoutSeconds', tool.timeoutSeconds, 1, longestIsolatedSeconds);
}

/** The most messages that an approver may read. */
const shownMessages = 50;

function checkApprovers(tool: FunctionTool, { approvers = 'owner', excludesOwner, showsMessages }: Approval): void {
  const field = 'approval.approvers';
  if (approvers === 'owner') {
    if (excludesOwner) refuse(tool, 'approval.excludesOwner', 'nobody could decide: name approvers');
    if (showsMessages !== undefined)
      refuse(tool, 'approval.showsMessages', 'the owner sees the whole conversation: leave it out, or name approvers');
    return;
  }
  if ('group' in approvers) {
    // A token lists the groups with spaces between them.
    if (!/^\S{1,128}$/.test(approvers.group)) refuse(tool, `${field}.group`, 'use 1 to 128 characters without spaces');
  } else {
    const { claim, value } = approvers;
    if (!/^[^\s=]{1,128}$/.test(claim))
      refuse(tool, `${field}.claim`, 'use 1 to 128 characters without spaces and "="');
    if (claim === 'cognito:groups') refuse(tool, `${field}.claim`, 'name a group instead: { group: "finance" }');
    if (!/^.{1,256}$/.test(value)) refuse(tool, `${field}.value`, 'use 1 to 256 characters on one line');
  }
  if (showsMessages !== undefined) whole(tool, 'approval.showsMessages', showsMessages, 0, shownMessages);
}

function checkMoney(tool: FunctionTool, { money = {} }: Approval): void {
  for (const [name, currency] of Object.entries(money)) {
    if (!Object.hasOwn(tool.input.shape, name)) refuse(tool, `approval.money.${name}`, 'the input has no such field');
    if (!Intl.supportedValuesOf('currency').includes(currency))
      refuse(tool, `approval.money.${name}`, `${currency} is no currency: use a code like "USD"`);
  }
}

function checkPatience(tool: Tool, prefix: string, { expiresInSeconds, fallback }: Partial<Patience>): void {
  if (expiresInSeconds !== undefined) whole(tool, `${prefix}expiresInSeconds`, expiresInSeconds, 1, longestWaitSeconds);
  if (fallback !== undefined && !fallback.trim()) refuse(tool, `${prefix}fallback`, 'is empty');
}

/** Strict schemas require and describe every field. An optional field is `.nullable()`. */
function checkSchema(tool: Tool): void {
  const optional = optionalField(tool.input);
  if (optional) refuse(tool, `input.${optional}`, nullableInstead);
  const { shape } = tool.input;
  const bare = Object.keys(shape).find((field) => !(shape[field] as z.ZodType).description);
  if (bare) refuse(tool, `input.${bare}`, 'add .describe() for the model');
}

function whole(tool: Tool, field: string, value: number, from: number, to: number): void {
  if (!Number.isInteger(value) || value < from || value > to)
    refuse(tool, field, `must be a whole number from ${from} to ${to}`);
}

function refuse(tool: Tool, field: string, rule: string): never {
  throw new ConfigurationError(`tool ${tool.name}: ${field}: ${rule}`);
}
