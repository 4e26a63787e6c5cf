import { ToolRequest } from '../core/loop-state';
import { type Bench, runTool } from '../core/run-tool';
import type { FunctionTool } from '../core/tool';
import { undoTool } from '../core/undo-tool';
import { tableOfDeployment } from './environment';
import { log } from './log';
import { plainError, publicWords } from './plain-error';

/** What a tool says about its failure is in the call's row, for its owner and the model: not in the execution's history. */
const inTheRow = "The attempt failed; the call's row says why.";

/**
 * The Lambda of a function tool. It answers nothing: the outcome is in the call's row. It throws only what the state
 * machine should retry or give up on.
 *
 * @param webhookUrl for a tool with a webhook: `webhookAddress()`.
 */
export function serveTool(tool: FunctionTool, webhookUrl?: Bench['webhookUrl']) {
  let bench: Bench | undefined;
  return async (event: unknown): Promise<void> => {
    // On first use, so that a definition can be read where there is no deployment.
    bench ??= { table: tableOfDeployment(), now: () => new Date(), webhookUrl };
    const request = ToolRequest.parse(event);
    const began = Date.now();
    const { runId, callId, undo } = request;
    try {
      const status = undo ? await undoTool(bench, tool, request) : await runTool(bench, tool, request);
      log.info(undo ? 'undo' : 'tool', { tool: tool.name, runId, callId, status, ms: Date.now() - began });
    } catch (error) {
      const { name } = error as Error;
      const ofTheTool = name === 'ToolFailed' || name === 'ToolTerminal' || name === 'ConfigurationError';
      // A throttled store or a broken connection passes: the tool's own retry rule is for that too.
      const as = ofTheTool ? { name, words: inTheRow } : { name: 'ToolFailed', words: publicWords(error) };
      throw plainError(error, { tool: tool.name, runId, callId }, as);
    }
  };
}
