import { Stack } from 'aws-cdk-lib';
import type { CfnFunction, IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { functionVariable } from '../../core/base/state/isolated-call';
import { ConfigurationError } from '../../core/base/text/errors';
import { attemptSeconds, type FunctionTool, functionName, type Needs } from '../../core/conversations/agent/tool';
import type { Guard } from '../../core/conversations/guards/guard';
import { functionId } from '../../statemachines/function-id';
import { describe } from '../described';
import type { FileBucket } from '../files/file-bucket';
import type { Settings } from '../settings';
import { ApiKey } from './api-key';
import { type ConversationTable, partition, tableActions } from './conversation-table';
import type { Embeddings } from './embeddings';
import type { GeneratedKey } from './generated-key';
import {
  assertSameRights,
  bundlesOfFunction,
  isShared,
  type ShareFunctions,
  sharedFunctionId,
  writeSharedCode,
} from './shared-functions';
import { VigilFunction } from './vigil-function';

export interface ToolFunctionsProps {
  tools: FunctionTool[];
  /** Guards, which run in CallModel. */
  guards: Guard[];
  callModel: VigilFunction;
  /** Functions of the app for foreign tools, by the tools' names. */
  elsewhere: Record<string, IFunction>;
  bundles: string;
  table: ConversationTable;
  files: FileBucket;
  environment: Record<string, string>;
  settings: Settings;
  webhookKey: GeneratedKey;
  embeddings: Embeddings;
  /** Keys that the stack has in any case. */
  keys: ApiKey[];
  /** The address to which outside systems deliver. */
  apiUrl: string;
  share: ShareFunctions;
}

/**
 * Creates one function for each function tool, or for all that need the same rights, and one for all tools of an MCP server, with its own role, timeout
 * and memory size. Functions of isolated tools have no right to the table, and RunIsolated is added to invoke them.
 *
 * @returns the functions by the id of the tool, or of its MCP server.
 */
export function toolFunctions(scope: Construct, props: ToolFunctionsProps): Record<string, VigilFunction> {
  const { tools, bundles, table, files, environment, settings, webhookKey, embeddings, apiUrl, share } = props;
  assertKnown(share, tools);
  const functions: Record<string, VigilFunction> = {};
  const needed = neededBy([
    ...tools.map((tool) => ({ whose: `tool ${tool.name}`, by: functionName(tool), needs: tool.needs })),
    ...props.guards.map(({ name, needs }) => ({ whose: `guard ${name}`, by: `guard ${name}`, needs })),
  ]);
  const all = given(scope, settings, props.keys, needed);
  describe(Stack.of(scope), { Needs: needed });
  for (const guard of props.guards) provide(props.callModel, guard.needs ?? {}, all);
  const ownId = (tool: FunctionTool) => functionId(functionName(tool));
  const sharedIdOf = (tool: FunctionTool) => (isShared(tool, share) ? sharedFunctionId(tool) : undefined);
  for (const tool of tools.filter(({ foreign }) => !foreign)) {
    if (functions[ownId(tool)]) continue;
    const sharedId = sharedIdOf(tool);
    const served = tools.filter((other) =>
      sharedId ? sharedIdOf(other) === sharedId : functionName(other) === functionName(tool),
    );
    if (sharedId) assertSameRights(sharedId, served);
    const parts = sharedId && writeSharedCode(bundles, sharedId, served);
    const fn = new VigilFunction(scope, sharedId ?? ownId(tool), {
      description: sharedId ? `Tools that need the same rights: ${served.length}` : descriptionOf(tool),
      bundles,
      timeoutSeconds: Math.max(...served.map(({ timeoutSeconds }) => timeoutSeconds)),
      memoryMiB: Math.max(...served.map(({ memoryMiB }) => memoryMiB)),
      environment: {
        ...(!tool.isolated && { ...environment, ...(tool.needs?.files && files.variables) }),
        ...(tool.webhook && { API_URL: apiUrl, ...webhookKey.variables }),
      },
    });
    const { partitions = [], timers } = tool.needs ?? {};
    if (!tool.isolated) table.grant(fn, [partition.conversations, ...partitions], ...tableActions);
    if (tool.needs?.files) worksOnFiles(fn, props);
    if (timers) table.grantTimers(fn);
    if (tool.webhook) webhookKey.grantRead(fn);
    provide(fn, tool.needs ?? {}, all);
    if (tool.needs?.embeddings) embeddings.reach(fn);
    if (parts) (fn.node.defaultChild as CfnFunction).addMetadata(bundlesOfFunction, parts);
    for (const one of served) functions[ownId(one)] = fn;
  }
  const unknown = Object.keys(props.elsewhere).find(
    (name) => !tools.some((tool) => tool.foreign && tool.name === name),
  );
  if (unknown) throw new ConfigurationError(`functions.${unknown}: no agent has a foreign tool with this name.`);
  const isolated = tools.filter((tool) => tool.isolated);
  return isolated.length > 0
    ? { ...functions, RunIsolated: runIsolated(scope, isolated, functions, props) }
    : functions;
}

const descriptionOf = ({ name, server }: FunctionTool): string =>
  server ? `The tools of the MCP server ${server}` : `The tool ${name}`;

/** @throws ConfigurationError for the name of no tool. */
function assertKnown(share: ShareFunctions, tools: readonly FunctionTool[]): void {
  const unknown = typeof share === 'object' && share.except.find((name) => !tools.some((tool) => tool.name === name));
  if (unknown) throw new ConfigurationError(`shareFunctions.except: no agent has a tool ${unknown}.`);
}

/** Lets a function read and write files. What it may open is decided by the conversation’s rows. */
function worksOnFiles(fn: VigilFunction, { table, files }: Pick<ToolFunctionsProps, 'table' | 'files'>): void {
  table.grant(fn, [partition.files], ...tableActions);
  files.grant(fn, 'GetObject', 'PutObject');
}

/** Creates the function that claims and settles the calls of isolated tools, and may invoke their functions. */
function runIsolated(
  scope: Construct,
  tools: FunctionTool[],
  functions: Record<string, VigilFunction>,
  { bundles, table, files, environment, elsewhere, settings }: ToolFunctionsProps,
): VigilFunction {
  const fn = new VigilFunction(scope, 'RunIsolated', {
    description: 'Claims and settles calls of isolated tools, and invokes their functions',
    bundles,
    timeoutSeconds: Math.max(...tools.map(attemptSeconds)),
    environment: { ...environment, ...files.variables },
  });
  table.grant(fn, [partition.conversations], ...tableActions);
  // It stores the files that they return.
  worksOnFiles(fn, { table, files });
  for (const name of new Set(tools.map(functionName))) {
    const functionArn = functions[functionId(name)]?.functionArn ?? arnOf(name);
    fn.addEnvironment(functionVariable(name), functionArn);
    fn.allow([functionArn], 'lambda:InvokeFunction');
  }
  return fn;

  function arnOf(name: string): string {
    const arn = elsewhere[name]?.functionArn ?? settings.given(functionVariable(name));
    if (arn) return arn;
    throw new ConfigurationError(
      `tool ${name}: it is foreign: pass its function in "functions", or set ${functionVariable(name)} to its ARN.`,
    );
  }
}

/**
 * Gives a tool what its definition declares: settings as variables, and keys as secrets.
 */
function provide(fn: VigilFunction, { secrets = [], variables = [] }: Needs, given: Given): void {
  for (const name of secrets) {
    const key = given.key(name);
    fn.addEnvironment(`${name}_SECRET_ARN`, key.arn);
    key.grantRead(fn);
  }
  for (const name of variables) fn.addEnvironment(name, given.value(name));
}

/** A secret or a variable that a deployment's tools and guards need. The template's metadata lists them. */
interface NeededValue {
  name: string;
  kind: 'secret' | 'variable';
  /** The tools, their MCP servers or the guards that do nothing without it. */
  tools: string[];
  /** Those that can do without it. */
  optionalFor: string[];
}

function neededBy(all: { whose: string; by: string; needs?: Needs }[]): NeededValue[] {
  const found = new Map<string, NeededValue>();
  for (const { whose, by, needs = {} } of all) {
    const { secrets = [], variables = [], optional = [] } = needs;
    for (const name of [...secrets, ...variables]) {
      const kind = secrets.includes(name) ? 'secret' : 'variable';
      const value = found.get(name) ?? { name, kind, tools: [], optionalFor: [] };
      if (value.kind !== kind)
        throw new ConfigurationError(`${whose}: needs: ${name} is a ${value.kind} of another tool or guard`);
      const list = optional.includes(name) ? value.optionalFor : value.tools;
      if (!list.includes(by)) list.push(by);
      found.set(name, value);
    }
  }
  return [...found.values()];
}

/** Describes a secret: `INVOICES_API_KEY, for the tools chase and list_overdue_invoices`, `…, for guard moderation`. */
function purposeOf({ name, tools, optionalFor }: NeededValue): string {
  const all = [...new Set([...tools, ...optionalFor])];
  const named = all.length > mostNamed ? [...all.slice(0, mostNamed), `${all.length - mostNamed} more`] : all;
  const list = [named.slice(0, -1).join(', '), named.at(-1)].filter(Boolean).join(' and ');
  // No tool's name has a space.
  const ofTools = !all.some((one) => one.includes(' '));
  return `${name}, for ${ofTools ? `the ${all.length > 1 ? 'tools' : 'tool'} ` : ''}${list}`;
}

/** CloudFormation limits the text. */
const mostNamed = 6;

interface Given {
  value(name: string): string;
  /** Returns the secret for a key. Several tools may share one. */
  key(name: string): ApiKey;
}

function given(scope: Construct, settings: Settings, known: ApiKey[], needed: NeededValue[]): Given {
  const keys = new Map(known.map((key) => [key.variable, key]));
  return {
    value: (name) => settings.given(name),
    key(name) {
      const of = purposeOf(needed.find((one) => one.name === name)!);
      const key = keys.get(name) ?? new ApiKey(scope, name, { variable: name, of });
      keys.set(name, key);
      return key;
    },
  };
}
