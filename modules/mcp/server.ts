import * as z from 'zod';
import type { Source } from '../../core/base/content/sources';
import { JsonObject } from '../../core/base/json/json-object';
import {
  anyText,
  anything,
  checkOptions,
  either,
  fields,
  isPlain,
  isText,
  isTitle,
  number,
  oneOf,
  optional,
  recordOf,
  text,
} from '../../core/base/schemas/definition';
import { ConfigurationError } from '../../core/base/text/errors';
import {
  defaultRetry,
  defineTool,
  type Effect,
  type FunctionTool,
  type IsolatedTool,
} from '../../core/conversations/agent/tool';
import { firstWords, inputOf } from '../../core/conversations/approvals/input-schema';
import { authProblem, type McpAuth, type McpClient, secretOf, variablesOfAuth } from './auth';
import { headerProblem } from './headers';
import type { Pin, PinnedTool } from './pin';
import { addressProblem, type Setting, variablesIn } from './setting';

/** The settings of the agents' author for tools of a server. */
export interface McpToolSettings
  extends Partial<Pick<FunctionTool, 'strict' | 'approval' | 'afterUntrusted' | 'askedBy' | 'verify' | 'retry'>> {
  /** `annotated`: what the server says, which may be wrong. By default `once`. */
  effect?: Exclude<Effect, 'table'> | 'annotated';
  /** The timeout of one attempt. By default 30. */
  timeoutSeconds?: number;
  /**
   * `ask`: if the server asks in the middle of a call, the user answers, and the call continues with what the server has noted of it. A
   * server of a revision before 2026-07-28 cannot note it, and the call is made once more: only for a tool that has no effect before it
   * asks, or if the answer is `cancel`. By default the server learns that it cannot ask.
   */
  elicitation?: 'ask';
}

export interface McpSpec {
  /** The address of the server's endpoint, or the variable that has it in a deployment. */
  url: Setting;
  /** The key or the token is sent as `Authorization: Bearer`. On a laptop, `secret` is the variable with the key. */
  auth?: McpAuth;
  /** The reviewed tools, which `vigil mcp pull` writes. */
  pin: Pin;
  /** The tools that agents may have: by name, or by a pattern with `*`. The first that fits has the settings. */
  allow: Record<string, McpToolSettings>;
  /** The origin of the words of the results. By default `system`. */
  source?: Source;
}

/** An MCP server, whose tools are tools of agents. */
export interface McpServer extends Omit<McpSpec, 'pin'> {
  name: string;
  /** The reviewed tools, by the names that agents use. */
  pinned: ReadonlyMap<string, PinnedTool>;
  /** @throws ConfigurationError if none is pinned, or one cannot be offered to models. */
  tools(): IsolatedTool[];
}

/**
 * Declares an MCP server. One function serves all of its tools, and has no right to the table.
 *
 * @param name in snake_case. The file of the declaration is named after it: `tools/issue-tracker.ts` for `issue_tracker`.
 * @throws ConfigurationError naming the server and the field.
 * @example
 * ```ts
 * import { mcp } from 'vigil/mcp';
 *
 * // `npx vigil mcp pull` writes it, and you review it: import pin from './issue-tracker.mcp.json'.
 * const inputSchema = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'], additionalProperties: false };
 * const pin = { tools: [{ name: 'getIssue', description: 'Reads an issue.', inputSchema }] };
 *
 * export const issueTracker = mcp('issue_tracker', {
 *   url: 'https://issues.example.com/mcp',
 *   auth: { secret: 'ISSUES_API_KEY' },
 *   pin,
 *   allow: { getIssue: { effect: 'read' } },
 * });
 * issueTracker.tools().map(({ name }) => name); // → ['issue_tracker__get_issue']
 * ```
 */
export function mcp(name: string, spec: McpSpec): McpServer {
  if (typeof name !== 'string') throw new ConfigurationError('mcp: the first argument must be the name of the server');
  checkOptions(`MCP server ${name}`, spec, specRule);
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name)) refuse(name, 'name', 'use snake_case, a letter first');
  const problem = typeof spec.url === 'string' && addressProblem(spec.url);
  if (problem) refuse(name, 'url', problem);
  const wrong = spec.auth && authProblem(spec.auth);
  if (wrong) refuse(name, ...wrong);
  const pinned = new Map<string, PinnedTool>();
  for (const tool of spec.pin.tools) {
    const own = ownName(name, tool.name);
    if (pinned.has(own)) refuse(name, 'pin', `two tools would be named ${own}`);
    // The next pull removes a tool that is no longer allowed.
    if (settingsOf(spec.allow, tool.name)) pinned.set(own, tool);
  }
  let tools: IsolatedTool[] | undefined;
  return {
    name,
    pinned,
    url: spec.url,
    auth: spec.auth,
    allow: spec.allow,
    source: spec.source,
    tools() {
      if (pinned.size === 0) refuse(name, 'pin', 'no tool is pinned: run `npx vigil mcp pull` with its file');
      // The same ones for all agents: the registry refuses two with one name.
      tools ??= [...pinned].map(([own, tool]) => toolOf(name, spec, own, tool));
      return tools;
    },
  };
}

const setting = either(isText, anyText, fields<{ variable: string }>({ variable: text }));
const oauth = fields<McpClient>({
  clientId: optional(setting),
  secret: optional(anyText),
  issuer: optional(setting),
  tokenUrl: optional(setting),
  scope: optional(text),
  resource: optional(either(isText, text, oneOf(false))),
});
const specRule = fields<McpSpec>({
  url: setting,
  // What is missing or too much has messages of its own.
  auth: optional(
    fields<{ secret: string; oauth: McpClient }>({
      secret: optional(anyText),
      oauth: optional(oauth),
    }),
  ),
  pin: (value, at) =>
    isPlain(value) && Array.isArray(value.tools) ? undefined : [at, 'must be what `vigil mcp pull` has written'],
  allow: recordOf(
    fields<McpToolSettings>({
      effect: optional(oneOf('read', 'idempotent', 'once', 'annotated')),
      timeoutSeconds: optional(number),
      elicitation: optional(oneOf('ask')),
      // As those of other tools, which defineTool checks.

      strict: optional(oneOf(false)),
      approval: optional(anything),
      afterUntrusted: optional(anything),
      askedBy: optional(anything),
      verify: optional(anything),
      retry: optional(anything),
    }),
  ),
  source: optional(oneOf('web', 'person', 'system', 'unknown')),
});

function toolOf(server: string, spec: McpSpec, name: string, pinned: PinnedTool): IsolatedTool {
  const { effect = 'once', timeoutSeconds = 30, retry = defaultRetry, ...rest } = settingsOf(spec.allow, pinned.name)!;
  if (timeoutSeconds < leastSeconds)
    refuse(server, `allow.${pinned.name}.timeoutSeconds`, `use at least ${leastSeconds}`);
  const variables = [...new Set([...variablesIn([spec.url]), ...variablesOfAuth(spec.auth)])];
  return defineTool({
    ...rest,
    name,
    server,
    retry,
    timeoutSeconds,
    title: titleOf(pinned),
    description: firstWords(pinned.description, pinned.title) ?? pinned.name,
    input: inputFor(server, pinned, rest.strict),
    output: McpResult,
    effect: effect === 'annotated' ? annotated(pinned) : effect,
    isolated: true,
    source: spec.source ?? 'system',
    needs: { variables, secrets: spec.auth ? [secretOf(spec.auth)] : [] },
    async execute() {
      throw new ConfigurationError(`tool ${name}: only the function of the MCP server ${server} runs it.`);
    },
  });
}

/** A server's title is left out if it cannot be one of Vigil's. */
const titleOf = ({ title, annotations }: PinnedTool): string | undefined =>
  [title, annotations?.title].find((one): one is string => typeof one === 'string' && isTitle(one));

/** A session needs some seconds before and after the call. */
const leastSeconds = 5;

/** The text of a result, or its structured content. */
export const McpResult = z.union([z.string(), JsonObject]);

/** Whether the schema can be told to models if providers do not enforce it. */
function isLoose(schema: PinnedTool['inputSchema']): boolean {
  try {
    return Boolean(inputOf(schema, false));
  } catch {
    return false;
  }
}

/** @throws ConfigurationError naming the tool and the field. */
function inputFor(server: string, { name, inputSchema }: PinnedTool, strict?: false): z.ZodObject {
  const problem = headerProblem(inputSchema);
  if (problem) refuse(server, name, `${problem}: leave the tool out of "allow"`);
  try {
    return inputOf(inputSchema, strict);
  } catch (error) {
    const instead = strict !== false && isLoose(inputSchema) ? ', or allow it with `strict: false`' : '';
    return refuse(server, name, `${(error as Error).message}: leave the tool out of "allow"${instead}`);
  }
}

function annotated({ annotations = {} }: PinnedTool): 'read' | 'idempotent' | 'once' {
  if (annotations.readOnlyHint === true) return 'read';
  return annotations.idempotentHint === true ? 'idempotent' : 'once';
}

/** Returns the settings of a tool of the server; undefined if it is not allowed. */
export const settingsOf = (allow: McpSpec['allow'], tool: string): McpToolSettings | undefined =>
  Object.entries(allow).find(([pattern]) => fits(pattern, tool))?.[1];

/** A star stands for any text. The first place that fits a part is the best one, so nothing is tried twice. */
export function fits(pattern: string, name: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return name === first;
  let rest = name.startsWith(first) ? name.slice(first.length) : undefined;
  for (const part of others) {
    const at = rest?.indexOf(part) ?? -1;
    rest = at < 0 ? undefined : rest?.slice(at + part.length);
  }
  return rest?.endsWith(last) ?? false;
}

/** `getIssue` of `github` becomes `github__get_issue`. The two underscores keep it apart from the deployment's own tools. */
const ownName = (server: string, tool: string): string =>
  `${server}__${tool
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')}`;

function refuse(server: string, field: string, problem: string): never {
  throw new ConfigurationError(`MCP server ${server}: ${field}: ${problem}`);
}
