import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError } from '../../core/base/text/errors';
import { type FunctionTool, secretId, usualTimeoutSeconds } from '../../core/conversations/agent/tool';
import { functionId } from '../../statemachines/function-id';

/** Which tools share functions: all that may, or all but these. */
export type ShareFunctions = boolean | { readonly except: readonly string[] };

/** The metadata of a shared function: the ids of the bundles that it has. */
export const bundlesOfFunction = 'vigil:bundles';

/**
 * Whether a tool runs in a function with others that need the same rights. One that is isolated never does: its code has been given to nobody else.
 * Nor do the tools of an MCP server, which have one together, and tools whose functions are elsewhere.
 */
export const isShared = ({ name, isolated, server, foreign }: FunctionTool, share: ShareFunctions): boolean =>
  share !== false &&
  !isolated &&
  !foreign &&
  server === undefined &&
  !(typeof share === 'object' && share.except.includes(name));

/** What tools of one function have in common. */
function rightsOf({ needs = {}, webhook, timeoutSeconds }: FunctionTool): string {
  const { partitions = [], secrets = [], variables = [], timers, files, embeddings } = needs;
  const lists = [partitions, secrets, variables].map((names) => [...new Set(names)].sort());
  // An attempt is over when its tool's timeout is over, so that they have the same one, too.
  return JSON.stringify([...lists, [timers, files, embeddings, webhook].map(Boolean), timeoutSeconds]);
}

/** Returns the id of the function of all tools with the same rights: `SharedTools`, and what they need. */
export function sharedFunctionId({ needs = {}, webhook, timeoutSeconds }: FunctionTool): string {
  const { partitions = [], timers, files, embeddings, secrets = [], variables = [] } = needs;
  const words = [
    ...[...partitions].sort().map((prefix) => secretId(prefix.replace(/\W/g, ''))),
    timers && 'WithTimers',
    files && 'WithFiles',
    embeddings && 'WithEmbeddings',
    webhook && 'WithWebhook',
    ...[...secrets, ...variables].sort().map(secretId),
    timeoutSeconds !== usualTimeoutSeconds && `For${timeoutSeconds}s`,
  ];
  return `SharedTools${words.filter(Boolean).join('')}`;
}

/** @throws ConfigurationError if tools with other rights would have one function. */
export function assertSameRights(id: string, tools: readonly FunctionTool[]): void {
  const [first, ...others] = tools;
  const other = others.find((one) => rightsOf(one) !== rightsOf(first!));
  if (!other) return;
  throw new ConfigurationError(
    `shareFunctions: the tools ${first!.name} and ${other.name} need different things, whose names make the same id ${id}: name one of them in shareFunctions.except.`,
  );
}

/**
 * Writes the code of a shared function beside the bundles: those of its tools, as they are, and a file that loads the one of the tool that is called.
 * So a call loads no more than in a function of its own.
 *
 * @returns the ids of the bundles.
 */
export function writeSharedCode(bundles: string, id: string, tools: readonly FunctionTool[]): string[] {
  const folder = join(bundles, id);
  // Of tools that it had before.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const ids = Object.fromEntries(tools.map(({ name }) => [name, functionId(name)]));
  for (const one of Object.values(ids))
    if (existsSync(join(bundles, one))) cpSync(join(bundles, one), join(folder, one), { recursive: true });
  writeFileSync(join(folder, 'index.js'), dispatcher(ids));
  return Object.values(ids);
}

const dispatcher = (ids: Readonly<Record<string, string>>): string => `'use strict';
const bundles = new Map(Object.entries(${JSON.stringify(ids)}));
exports.handler = (event, context) => {
  const bundle = bundles.get(event.tool);
  // As for a state that is gone: the call continues in an execution that knows the tool's function.
  if (bundle === undefined)
    throw Object.assign(new Error('This function has no tool ' + event.tool + '.'), { name: 'NoSuchTool' });
  return require('./' + bundle + '/index.js').handler(event, context);
};
`;
