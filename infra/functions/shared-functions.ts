import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FunctionTool, secretId } from '../../core/conversations/agent/tool';
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

/** Returns the id of the function of all tools that need the same: `SharedTools`, and what they need. */
export function sharedFunctionId({ needs = {}, webhook }: FunctionTool): string {
  const { partitions = [], timers, files, embeddings, secrets = [], variables = [] } = needs;
  const words = [
    ...[...partitions].sort().map((prefix) => capitalized(prefix.replace(/\W/g, '').toLowerCase())),
    timers && 'Timers',
    files && 'Files',
    embeddings && 'Embeddings',
    webhook && 'Webhook',
    ...[...secrets, ...variables].sort().map(secretId),
  ];
  return `SharedTools${words.filter(Boolean).join('')}`;
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/**
 * Writes the code of a shared function beside the bundles: those of its tools, as they are, and a file that loads the one of the tool that is called.
 * So a call loads no more than in a function of its own.
 *
 * @returns the ids of the bundles.
 */
export function writeSharedCode(bundles: string, id: string, tools: readonly FunctionTool[]): string[] {
  const folder = join(bundles, id);
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
  if (bundle === undefined) throw new Error('This function has no tool ' + event.tool + '.');
  return require('./' + bundle + '/index.js').handler(event, context);
};
`;
