import { setTimeout as sleep } from 'node:timers/promises';
import { ProtocolError, ProtocolErrorCode, type Tool } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { isJsonObject } from '../../core/base/json/json-object';
import { withoutNulls } from '../../core/base/schemas/parse-input';
import { clip } from '../../core/base/text/clip';
import { AsksUser, AttemptLost, ResultLost, ServerWorking, TellModel, ToolFailed } from '../../core/base/text/errors';
import type { IsolatedContext, IsolatedTool } from '../../core/conversations/agent/tool';
import { log } from '../../runtime/log';
import { answering } from './answering';
import { inSession, type Known, refusal, type Session, statusOf, unreachable } from './connection';
import type { Key } from './key';
import { TooLarge } from './limited-fetch';
import { listTools } from './list-tools';
import { differences, type PinnedTool } from './pin';
import { outputOf, readAnswer, type ToolAnswer } from './result';
import { continuation, roundIn, unanswered } from './rounds';
import type { McpServer } from './server';
import { askOf, begunTask, type Round, resultOfTask } from './task';

/** The time that is left for the goodbye and the answer. */
const spareMs = 2_000;
/** An error's words are for a model, which reads no pages of them. */
const longestError = { characters: 10_000 };
/** A server's tools are compared with the pin again after this time. */
const listedForMs = 5 * 60_000;
/** A server may want only its state back, to gain time. */
const mostRounds = 5;
const pauseOfRoundMs = 500;
const cancelWithinMs = 10_000;

export interface Listed extends Known {
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

/** Tells a server that a task is no longer needed. What it answers does not matter. @throws Error if it does not answer, so that it is told again. */
export async function cancelTask({ server, key, listed }: Omit<McpCall, 'tool'>, task: string): Promise<void> {
  const deadline = AbortSignal.timeout(cancelWithinMs);
  await inSession(server, { key, known: listed, deadline }, (session, signal) => {
    const ask = askOf(session, task, signal);
    return ask('tasks/cancel').catch((error) => {
      if (!(error instanceof ProtocolError)) throw error;
    });
  });
}

/**
 * Calls a tool of a server, if it is still the one that was reviewed.
 *
 * @throws ServerWorking, AsksUser if the server works on the call, or asks the user. ResultLost if it worked, and will give no result.
 * @throws TellModel if the tool reports an error, refuses the arguments, or has changed.
 * @throws ToolFailed, ConfigurationError if the call was certainly not made.
 * @throws AttemptLost if it may have been made.
 */
export async function callTool(
  { server, key, tool, listed }: McpCall,
  input: Record<string, unknown>,
  { callId, answers = [], round, trace }: IsolatedContext,
): Promise<unknown> {
  const pinned = server.pinned.get(tool.name)!;
  const deadline = AbortSignal.timeout(tool.timeoutSeconds * 1_000 - spareMs);
  const asking = tool.elicitation && answering(answers);
  const next = round && unanswered(round, answers);
  if (next) throw new AsksUser(next, round);
  if (round?.task) return look({ ...round, task: round.task });
  const use = async (session: Session, signal: AbortSignal) => {
    if (round && !session.isNew)
      throw new AttemptLost(
        `The MCP server ${server.name} speaks an older revision than when the call began, and cannot continue it.`,
      );
    await assertUnchanged(session, signal);
    const params = {
      name: pinned.name,
      arguments: withoutNulls(tool.input, input) as Record<string, unknown>,
      // No standard names an idempotency key. This one is the same for all attempts of a call. The trace's fields have no prefix (SEP-414).
      _meta: { 'vigil/call-id': callId, ...trace },
    };
    const options = {
      signal,
      timeout: tool.timeoutSeconds * 1_000,
      allowInputRequired: true,
      // For the headers that it declares. Its result is checked below.
      toolDefinition: { ...pinned, outputSchema: undefined } as Tool,
    };
    const call = (more: object) =>
      session
        .orAsItIs(session.client.callTool({ ...params, ...more }, options))
        // Whatever it makes of the call without an answer: it is made again.
        .finally(() => asking?.rethrow())
        .catch((error) => {
          throw inWords(error, signal);
        });
    return finished(await answered(call, signal));
  };
  return inSession(server, { key, known: listed, deadline, answer: asking?.answer }, use);

  /** Asks the server how far its task is. Whatever is in the way may pass, unless the deployment has set it up wrongly. */
  async function look(at: Round): Promise<unknown> {
    let known = at;
    const ask = async (session: Session, signal: AbortSignal) => {
      if (!session.isNew) throw new ResultLost('speaks an older revision than when the call began');
      const mayAsk = tool.elicitation !== undefined;
      return resultOfTask(askOf(session, at.task.id, signal), at, answers, mayAsk, (round) => {
        known = round;
      }).catch((error) => {
        if (signal.reason instanceof TooLarge) throw new ResultLost('returned more than Vigil reads');
        throw refusal(server, key, error) ?? error;
      });
    };
    const result = await inSession(server, { key, known: listed, deadline }, ask).catch((error) => {
      const { name, message, notBefore } = error as Error & { notBefore?: Date };
      if (name === 'ResultLost')
        throw new ResultLost(`The MCP server ${server.name} ${clip(message, longestError, '…')}`);
      if (/^(AsksUser|ServerWorking|ConfigurationError)$/.test(name)) throw error;
      throw new ServerWorking({ round: known, notBefore: notBefore?.toISOString() });
    });
    return finished(result);
  }

  function finished(result: Record<string, unknown>): unknown {
    const answer = readAnswer(result);
    if (answer.isError) throw new TellModel(clip(answer.text, longestError, '…'));
    return checked(answer);
  }

  /** Calls, and continues as long as the server needs nothing of the user. @throws AsksUser if it does, ServerWorking if it begins a task. */
  async function answered(call: (more: object) => Promise<Record<string, unknown>>, signal: AbortSignal) {
    let sent = round ? continuation(round, answers) : {};
    for (let time = 1; ; time++) {
      const result = await call(sent);
      const { resultType = 'complete' } = result;
      if (resultType === 'complete') return result;
      if (resultType === 'task')
        throw begunTask(result, answers.length) ?? outcomeLost('answered with a task whose id cannot be kept');
      if (resultType !== 'input_required')
        throw outcomeLost('answered with a result of another kind, which it was not asked for');
      if (time === mostRounds) throw outcomeLost('asks again and again');
      const asks = roundOf(result);
      const question = unanswered(asks, answers);
      if (question) throw new AsksUser(question, asks);
      sent = continuation(asks, answers);
      await sleep(pauseOfRoundMs, undefined, { signal }).catch(() => undefined);
    }
  }

  function roundOf(result: Record<string, unknown>) {
    try {
      return roundIn(result, tool.elicitation !== undefined, answers.length);
    } catch (error) {
      throw outcomeLost((error as Error).message);
    }
  }

  /** It may have acted, and says so in a way that cannot be followed. */
  function outcomeLost(how: string): Error {
    const words = `The MCP server ${server.name} ${how}.`;
    return tool.effect === 'read' ? new TellModel(words) : new AttemptLost(words);
  }

  async function assertUnchanged(session: Session, signal: AbortSignal): Promise<void> {
    if (!listed.tools || listed.until < Date.now()) {
      listed.tools = await listTools(session, signal).catch((error) => {
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
    const words = `the tool ${what} since it was reviewed. The operator must review it again.`;
    throw round ? new AttemptLost(`Not continued: ${words}`) : new TellModel(`Not called: ${words}`);
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
    if (signal.reason instanceof TooLarge) return outcomeLost('returned more than Vigil reads: ask for less');
    const refused = refusal(server, key, error);
    if (refused) return refused;
    if (signal.aborted)
      return new AttemptLost(`The MCP server ${name} did not answer within ${tool.timeoutSeconds} seconds.`);
    // Of a call that has begun, the arguments are not what it refuses.
    if (error instanceof ProtocolError && isRefused(error.code) && !round) return new TellModel(wordsIn(error));
    if (error instanceof ProtocolError && error.code === ProtocolErrorCode.MissingRequiredClientCapability && !round)
      return new TellModel(`Not called: the MCP server ${name} runs this tool only for clients ${missingIn(error)}.`);
    if (error instanceof ProtocolError) return new AttemptLost(`The MCP server ${name} failed: ${wordsIn(error)}`);
    const status = statusOf(error);
    if (status && status < 500) return new ToolFailed(`The MCP server ${name} answered with status ${status}.`);
    if (status) return new AttemptLost(`The MCP server ${name} answered with status ${status}.`);
    return neverSent(error)
      ? unreachable(server, error, signal)
      : new AttemptLost(`The MCP server ${name} gave no answer.`);
  }
}

const wordsIn = ({ message }: Error): string => clip(message, longestError, '…');

/** The server has not run the tool. */
const isRefused = (code: number): boolean =>
  code === ProtocolErrorCode.InvalidParams ||
  code === ProtocolErrorCode.MethodNotFound ||
  code === ProtocolErrorCode.InvalidRequest;

/** Returns what a server needs that it was not offered, as far as it may be repeated, and the remedy. */
function missingIn({ data }: ProtocolError): string {
  const { requiredCapabilities: needs } = isJsonObject(data) ? data : {};
  const { extensions, ...others } = isJsonObject(needs) ? needs : {};
  const names = [...Object.keys(others), ...Object.keys(isJsonObject(extensions) ? extensions : {})];
  const named = names.filter((one) => isCapability.test(one)).slice(0, mostCapabilities);
  if (named.includes('elicitation')) return 'that can ask the user. The operator must set "elicitation" of the tool';
  const what = named.length > 0 ? `with ${named.join(', ')}` : 'with more capabilities';
  return `${what}, which Vigil does not have. The operator must leave the tool out of "allow"`;
}
const isCapability = /^[\w./-]{1,60}$/;
const mostCapabilities = 5;

const neverSent = ({ cause }: Error): boolean =>
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/.test(String((cause as { code?: unknown } | undefined)?.code));
