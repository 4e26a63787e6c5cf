import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { CancelTask, type IsolatedAnswer, IsolatedRequest } from '../../core/base/state/isolated-call';
import { ConfigurationError } from '../../core/base/text/errors';
import type { IsolatedTool } from '../../core/conversations/agent/tool';
import { logged } from '../../runtime/log';
import { secret } from '../../runtime/secret';
import { serveIsolated } from '../../runtime/serve-isolated';
import { serving } from '../../runtime/serving';
import { callTool, cancelTask, type Listed } from './call-tool';
import { type Key, keyFor } from './key';
import type { McpServer } from './server';

/**
 * Creates the Lambda handler that serves all tools of an MCP server. It has no right to the table.
 *
 * @example
 * ```ts
 * import { mcp, serveMcp } from 'vigil/mcp';
 *
 * const pin = { tools: [{ name: 'listIssues', description: 'Lists all issues.', inputSchema: { type: 'object' } }] };
 * const url = 'https://issues.example.com/mcp';
 * export const issueTracker = mcp('issue_tracker', { url, pin, allow: { 'list*': { effect: 'read' } } });
 * export const handler = serveMcp(issueTracker);
 * ```
 */
export function serveMcp(server: McpServer, key: Key | undefined = keyOf(server)) {
  const listed: Listed = { until: 0 };
  const isolated = (tool: IsolatedTool) =>
    serveIsolated({
      ...tool,
      // The connection reads them, with tokens of its own.
      needs: undefined,
      execute: (input, context) => callTool({ server, key, tool, listed }, input, context),
    });
  const cancel = logged(async ({ cancelTask: task }: CancelTask): Promise<IsolatedAnswer> => {
    await cancelTask({ server, key, listed }, task);
    return {};
  });
  let handlers: Map<string, ReturnType<typeof serveIsolated>> | undefined;
  const handler = async (event: unknown): Promise<IsolatedAnswer> => {
    handlers ??= new Map(server.tools().map((tool) => [tool.name, isolated(tool)]));
    const { data: cancelled } = CancelTask.safeParse(event);
    if (cancelled) return cancel(cancelled);
    const { tool = '' } = IsolatedRequest.parse(event);
    const serve = handlers.get(tool);
    if (serve) return serve(event);
    throw new ConfigurationError(`MCP server ${server.name}: this deployment has no tool ${tool}.`);
  };
  return serving(handler, server);
}

const keyOf = (server: McpServer): Key | undefined =>
  keyFor(server, (name) => {
    const whose = `the key of the MCP server ${server.name}, ${name},`;
    return secret(new SecretsManagerClient({}), `${name}_SECRET_ARN`, whose);
  });
