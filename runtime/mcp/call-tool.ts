import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import { withoutNulls } from '../../core/base/schemas/parse-input';
import { clip } from '../../core/base/text/clip';
import { TellModel, ToolFailed } from '../../core/base/text/errors';
import type { IsolatedContext, IsolatedTool } from '../../core/conversations/agent/tool';
import { differences, type PinnedTool } from '../../core/conversations/mcp/pin';
import type { McpServer } from '../../core/conversations/mcp/server';
import { log } from '../log';
import { answering } from './answering';
import { inSession, refusal, statusOf, unreachable } from './connection';
import type { Key } from './key';
import { TooLarge } from './limited-fetch';
import { listTools } from './list-tools';
import { AnyResult, outputOf, readAnswer, type ToolAnswer } from './result';

/** The time that is left for the goodbye and the answer. */
const spareMs = 2_000;
/** An error's words are for a model, which reads no pages of them. */
const mostErrorCharacters = 10_000;
/** A server's tools are compared with the pin again after this time. */
const listedForMs = 5 * 60_000;

export interface Listed {
  tools?: Map<string, PinnedTool>;
  until: number;
}

export interface McpCall {
  server: McpServer;
  key?: Key;
  tool: IsolatedTool;
  /** The server's last list of tools, for all calls of this process. */
  listed: Listed;
}

/**
 * Calls a tool of a server, if it is still the one that was reviewed.
 *
 * @throws TellModel if the tool reports an error, refuses the arguments, or has changed.
 * @throws ToolFailed, ConfigurationError if the call was certainly not made.
 * @throws Error if it may have been made.
 */
export async function callTool(
  { server, key, tool, listed }: McpCall,
  input: Record<string, unknown>,
  { callId, answers }: IsolatedContext,
): Promise<unknown> {
  const pinned = server.pinned.get(tool.name)!;
  const deadline = AbortSignal.timeout(tool.timeoutSeconds * 1_000 - spareMs);
  const asking = tool.elicitation && answering(answers);
  const use = async (client: Client, signal: AbortSignal) => {
    await assertUnchanged(client, signal);
    const params = {
      name: pinned.name,
      arguments: withoutNulls(tool.input, input) as Record<string, unknown>,
      // No standard names an idempotency key. This one is the same for all attempts of a call.
      _meta: { 'vigil/call-id': callId },
    };
    const options = { signal, timeout: tool.timeoutSeconds * 1_000 };
    const result = await client
      .request({ method: 'tools/call', params }, AnyResult, options)
      // Whatever it makes of the call without an answer: it is made again.
      .finally(() => asking?.rethrow())
      .catch((error) => {
        throw inWords(error, signal);
      });
    const answer = readAnswer(result);
    if (answer.isError) throw new TellModel(clip(answer.text, { characters: mostErrorCharacters }, '…'));
    return checked(answer);
  };
  return inSession(server, key, deadline, use, asking?.answer);

  async function assertUnchanged(client: Client, signal: AbortSignal): Promise<void> {
    if (!listed.tools || listed.until < Date.now()) {
      listed.tools = await listTools(client, signal).catch((error) => {
        throw refusal(server, key, error) ?? unreachable(server, error, signal);
      });
      listed.until = Date.now() + listedForMs;
    }
    const current = listed.tools.get(pinned.name);
    const changed = current ? differences(pinned, current) : ['the server no longer has it'];
    if (changed.length === 0) return;
    // When the server is corrected, or the new one is pinned, it must work at once.
    listed.tools = undefined;
    log.error('mcp-tool-changed', { server: server.name, tool: pinned.name, difference: changed.join('\n') });
    const what = current ? 'has changed at its server' : 'is gone from its server';
    throw new TellModel(`Not called: the tool ${what} since it was reviewed. The operator must review it again.`);
  }

  /** Returns a result that does not fit the tool's `output` if the server breaks its own schema. The tool has run then. */
  function checked(answer: ToolAnswer): unknown {
    const { outputSchema } = pinned;
    if (!outputSchema || !answer.structured) return outputOf(answer);
    const { valid } = new AjvJsonSchemaValidator().getValidator(outputSchema)(answer.structured);
    return valid ? outputOf(answer) : null;
  }

  function inWords(error: Error & { code?: number }, signal: AbortSignal): Error {
    const { name } = server;
    if (error.name === 'AsksUser') return error;
    if (signal.reason instanceof TooLarge) {
      const words = `The MCP server ${name} returned more than Vigil reads: ask for less.`;
      return tool.effect === 'read' ? new TellModel(words) : new Error(words);
    }
    const refused = refusal(server, key, error);
    if (refused) return refused;
    if (signal.aborted)
      return new Error(`The MCP server ${name} did not answer within ${tool.timeoutSeconds} seconds.`);
    if (error instanceof McpError && isRefused(error.code)) return new TellModel(wordsIn(error));
    if (error instanceof McpError) return new Error(`The MCP server ${name} failed: ${wordsIn(error)}`);
    const status = statusOf(error);
    if (status && status < 500) return new ToolFailed(`The MCP server ${name} answered with status ${status}.`);
    if (status) return new Error(`The MCP server ${name} answered with status ${status}.`);
    return neverSent(error) ? unreachable(server, error, signal) : new Error(`The MCP server ${name} gave no answer.`);
  }
}

const wordsIn = ({ message }: Error): string => clip(message, { characters: mostErrorCharacters }, '…');

/** The server has not run the tool. */
const isRefused = (code: number): boolean =>
  code === ErrorCode.InvalidParams || code === ErrorCode.MethodNotFound || code === ErrorCode.InvalidRequest;

const neverSent = ({ cause }: Error): boolean =>
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/.test(String((cause as { code?: unknown } | undefined)?.code));
