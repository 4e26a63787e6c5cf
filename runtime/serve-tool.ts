import type { FunctionTool } from '../core/agent/tool';
import { runTool, type ToolRuntime } from '../core/loop/run-tool';
import { undoTool } from '../core/rollback/undo-tool';
import { ToolRequest } from '../core/state/loop-state';
import { tableOfDeployment } from './environment';
import { log } from './log';
import { logFailure, publicWords, withName } from './plain-error';

/** What a tool says about its failure is in the call's row, for its owner and the model: not in the execution's history. */
const inTheRow = "The attempt failed; the call's row says why.";

/**
 * The Lambda of a function tool. It answers nothing: the outcome is in the call's row. It throws only what the state
 * machine should retry or give up on.
 *
 * @param webhookUrl for a tool with a webhook: `webhookAddress()`.
 */
export function serveTool(tool: FunctionTool, webhookUrl?: ToolRuntime['webhookUrl']) {
  let bench: Omit<ToolRuntime, 'failed'> | undefined;
  return async (event: unknown): Promise<void> => {
    // On first use, so that a definition can be read where there is no deployment.
    bench ??= { table: tableOfDeployment(), now: () => new Date(), webhookUrl };
    const request = ToolRequest.parse(event);
    const began = Date.now();
    const { conversationId, runId, callId, undo } = request;
    const who = { tool: tool.name, conversationId, runId, callId, undo };
    // Logged in the end: to look up the lines of a stack takes a while, and the outcome is not to wait for it.
    const failures = new Map<unknown, () => void>();
    const failed: ToolRuntime['failed'] = (error, { agent, attempts: attempt, attemptsAtMost, arguments: said }) => {
      const fields = { agent, ...who, ...(!undo && { attempt, attemptsAtMost }) };
      failures.set(error, () => logFailure(error, fields, said));
    };
    // An exception in a callback ends the process: only this hears of it.
    const crashed = (error: unknown) => logFailure(error, who);
    process.once('uncaughtExceptionMonitor', crashed);
    try {
      const status = await (undo ? undoTool : runTool)({ ...bench, failed }, tool, request);
      log.info(undo ? 'undo' : 'tool', { tool: tool.name, runId, callId, status, ms: Date.now() - began });
    } catch (error) {
      const { name, cause } = error as Error;
      if (!failures.has(error) && !failures.has(cause)) failures.set(error, () => logFailure(error, who));
      const ofTheTool = name === 'ToolFailed' || name === 'ToolTerminal' || name === 'ConfigurationError';
      // A throttled store or a broken connection passes: the tool's own retry rule is for that too.
      throw ofTheTool ? withName(name, inTheRow) : withName('ToolFailed', publicWords(error));
    } finally {
      for (const tell of failures.values()) tell();
      process.off('uncaughtExceptionMonitor', crashed);
    }
  };
}
