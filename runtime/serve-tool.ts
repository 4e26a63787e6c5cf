import { ToolRequest } from '../core/base/state/loop-state';
import { fileLimits } from '../core/base/state/user-limits';
import { ConfigurationError } from '../core/base/text/errors';
import { isThrottling } from '../core/base/text/throttling';
import type { FunctionTool } from '../core/conversations/agent/tool';
import { mayBeRetried, runTool, type ToolRuntime } from '../core/machines/loop/run-tool';
import { undoTool } from '../core/machines/rollback/undo-tool';
import { tableOfDeployment, traceScope } from './environment';
import { filesOfDeployment } from './file-store';
import { counts } from './limits';
import { addFields, adoptConsole, log, logged, withFieldsOfEvent } from './log';
import { logFailure, publicWords, withName } from './plain-error';
import { serving } from './serving';
import { withNeeds } from './tool-needs';

/** A tool's own message is in the call's row, for its owner and the model, and not in the execution's history. */
const inTheRow = "The attempt failed; the call's row says why.";

/**
 * Creates the Lambda handler of a function tool. It returns nothing, because the outcome is in the call's row. It throws only errors
 * that the state machine must retry or give up on.
 *
 * @param webhookUrl for a tool with a webhook: `webhookAddress()`.
 * @throws ConfigurationError for an isolated tool, and for a tool with a webhook and no address.
 * @example
 * ```ts
 * import { defineTool, serveTool, webhookAddress } from 'vigil';
 * import * as z from 'zod';
 *
 * export const order = defineTool({
 *   name: 'order',
 *   description: 'Orders a catalogue. The shop says later when it comes.',
 *   input: z.object({ title: z.string().describe('The title of the catalogue') }),
 *   output: z.object({ ordered: z.boolean() }),
 *   effect: 'idempotent',
 *   webhook: { delivers: 'message', expiresInSeconds: 86_400, fallback: 'The shop has not answered for a day.' },
 *   execute: async (_, { webhookUrl }) => ({ ordered: webhookUrl !== undefined }),
 * });
 * export const handler = serveTool(order, webhookAddress());
 * serveTool(order); // throws its webhook needs an address
 * ```
 */
export function serveTool(tool: FunctionTool, webhookUrl?: ToolRuntime['webhookUrl']) {
  if (tool.isolated) throw new ConfigurationError(`tool ${tool.name}: handler: use serveIsolated for an isolated tool`);
  if (tool.webhook && typeof webhookUrl !== 'function')
    throw new ConfigurationError(
      `tool ${tool.name}: handler: its webhook needs an address: serveTool(…, webhookAddress())`,
    );
  adoptConsole();
  let bench: Bench | undefined;
  const equipped = withNeeds(tool);
  const handler = logged((event: unknown): Promise<void> => {
    // Created on first use, so a definition can be imported without a deployment.
    bench ??= {
      table: tableOfDeployment(),
      now: () => new Date(),
      webhookUrl,
      atMost: counts(),
      traces: traceScope(),
      ...(tool.needs?.files && { files: { store: filesOfDeployment(), most: fileLimits } }),
    };
    return serveCall(bench, equipped, ToolRequest.parse(event));
  });
  return serving(handler, tool);
}

export type Bench = Omit<ToolRuntime, 'began' | 'failed'>;

/** Serves one attempt at a call, and logs it. */
export async function serveCall(bench: Bench, tool: FunctionTool, request: ToolRequest): Promise<void> {
  const startedAt = Date.now();
  const { undo } = request;
  addFields({ tool: tool.name, undo });
  const began: ToolRuntime['began'] = ({ agent, step, attempts }) =>
    addFields({ agent, step, ...(!undo && { attempt: attempts }) });
  // Logged at the end, because mapping a stack takes time that would delay the outcome.
  const failures = new Map<unknown, () => void>();
  const failed: ToolRuntime['failed'] = (error, { attemptsAtMost, arguments: said }) => {
    const fields = undo ? {} : mayBeRetried(error, tool) ? { attemptsAtMost } : { retried: false };
    failures.set(error, () => logFailure(error, fields, said));
  };
  // An exception in a callback ends the process, and only this handler sees it.
  const crashed = withFieldsOfEvent((error: unknown) => logFailure(error, {}));
  process.once('uncaughtExceptionMonitor', crashed);
  try {
    const status = await (undo ? undoTool : runTool)({ ...bench, began, failed }, tool, request);
    log.info(undo ? 'undo' : 'tool', { status, ms: Date.now() - startedAt });
  } catch (error) {
    const { name, cause } = error as Error;
    if (!failures.has(error) && !failures.has(cause)) failures.set(error, () => logFailure(error, {}));
    const ofTheTool = name === 'ToolFailed' || name === 'ToolTerminal' || name === 'ConfigurationError';
    // Without capacity, nothing has been tried. If the table became busy later, the row says whether the tool may run again.
    if (isThrottling(error) || name === 'Throttled' || name === 'ConversationBusy')
      throw withName('Throttled', publicWords(error));
    // Other errors, such as a lost connection, are retried as the tool's `retry` says.
    throw ofTheTool ? withName(name, inTheRow) : withName('ToolFailed', publicWords(error));
  } finally {
    for (const logOne of failures.values()) logOne();
    process.off('uncaughtExceptionMonitor', crashed);
  }
}
