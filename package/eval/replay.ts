import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { ToolRequest } from '../../core/base/state/loop-state';
import { ConfigurationError, TellModel } from '../../core/base/text/errors';
import { asError } from '../../core/base/text/thrown';
import type { Registry } from '../../core/conversations/agent/registry';
import type { FunctionTool } from '../../core/conversations/agent/tool';
import { readCall } from '../../core/conversations/calls/call';
import type { Table } from '../../core/conversations/store/table';
import { runTool, type ToolRuntime } from '../../core/machines/loop/run-tool';
import { undoTool } from '../../core/machines/rollback/undo-tool';
import { sendJson } from '../../local/app/http-server';
import { listen, readJson } from '../../local/model-server/listen';
import type { Vigil } from '../testing/vigil';
import type { ToolAnswers } from './tool-rules';

/** The other side of a local cloud whose tools do not run: what it needs of the cloud, and its answers. */
export interface Replay {
  readonly table: Table;
  readonly registry: Registry;
  /** From now on, the calls of this user's agents, and of their sub-agents, have these answers. */
  answer(user: string, answers: ToolAnswers): void;
  /** The cloud still asks, and gets no answer: then no tool runs. */
  stop(): Promise<void>;
}

interface Health {
  awsUrl: string;
  region: string;
  outputs: { TableName?: string };
  definitions?: string;
}

/** By the cloud: the users whose tools do not run. What is left of an earlier play must not run later. */
const takenOver = new WeakMap<object, Map<string, ToolAnswers>>();

/** Whether the cloud asks before each attempt: it does so from the first replay until it stops. */
export const asksFirst = (vigil: Pick<Vigil, 'url'>): boolean => takenOver.has(vigil);

/**
 * Takes over the tools of a local cloud. It is asked before any attempt at a call, and settles the call as the tool's function would: with the
 * tool's definition, in the call's row. It never invokes a function. Other users' tools run as always.
 */
export async function openReplay(vigil: Pick<Vigil, 'url' | 'now'>): Promise<Replay> {
  const health = (await (await fetch(`${vigil.url}/_local/health`)).json()) as Health;
  const registry = registryIn(health);
  const client = new DynamoDBClient({
    endpoint: health.awsUrl,
    region: health.region,
    credentials: { accessKeyId: 'replay', secretAccessKey: 'replay' },
  });
  const table: Table = {
    client: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
    name: health.outputs.TableName!,
  };
  const answersOf = takenOver.get(vigil) ?? new Map<string, ToolAnswers>();
  takenOver.set(vigil, answersOf);

  async function attempt(request: ToolRequest): Promise<Reply> {
    const { conversationId, callId } = request;
    const call = await readCall(table, conversationId, callId);
    if (!call) throw new Error('There is no such call.');
    const answers = answersOf.get(call.user);
    if (!answers) return { runs: true };
    const tool = registry.tools.get(call.tool);
    if (tool?.kind !== 'function') throw new Error(`There is no tool ${call.tool} with a function.`);
    const now = await vigil.now();
    const runtime: ToolRuntime = { table, now: () => now };
    if (request.undo) {
      // The effect has not happened here, so nothing is left to undo. One that was recorded must not be undone.
      const isOfCase = answers.rules.from !== undefined || (await answers.isAnswered(keyOf(request)));
      if (!isOfCase) return { runs: true };
      await undoTool(runtime, { ...tool, compensate: tool.compensate && (async () => undefined) }, request);
      return {};
    }
    const answer = await answers.answerTo({ key: keyOf(request), tool: call.tool, arguments: call.arguments }, tool);
    if (answer.by === 'live' || answer.by === 'itself') return { runs: true };
    await runTool(runtime, answering(tool, answer), request);
    return {};
  }

  const { url, stop } = await listen(async (request, response) => {
    try {
      const { request: asked } = Question.parse(await readJson(request));
      sendJson(response, 200, await attempt(asked).catch(failure));
    } catch (error) {
      sendJson(response, 400, { detail: (error as Error).message });
    }
  });
  const headers = { 'content-type': 'application/json' };
  const order = { method: 'POST', headers, body: JSON.stringify({ answeredBy: url }) };
  const ordered = await fetch(`${vigil.url}/_local/tools`, order);
  if (!ordered.ok) throw new Error(((await ordered.json()) as { detail: string }).detail);
  return {
    table,
    registry,
    answer: (user, answers) => void answersOf.set(user, answers),
    async stop() {
      await stop();
      client.destroy();
    },
  };
}

const Question = z.object({ request: ToolRequest });

/** See `local/app/answered.ts`. */
interface Reply {
  runs?: true;
  error?: { errorType: string; errorMessage: string };
}

const keyOf = ({ conversationId, callId }: ToolRequest): string => `${conversationId} ${callId}`;

/** The tool whose function this is instead. A result of another version of the tool need not fit its output. */
function answering(
  tool: FunctionTool,
  answer: { by: string } & ({ result?: unknown } | { error: string }),
): FunctionTool {
  return {
    ...tool,
    webhook: undefined,
    elicitation: undefined,
    needs: undefined,
    output: answer.by === 'stand-in' ? tool.output : z.unknown(),
    async execute() {
      if ('error' in answer) throw new TellModel(answer.error);
      return answer.result;
    },
  };
}

/** As a function reports it. The state machine decides by the name whether it tries again. */
function failure(thrown: unknown): Reply {
  const { name, message } = asError(thrown);
  return { error: { errorType: name, errorMessage: message } };
}

/** @throws ConfigurationError if the app was synthesized by an earlier version. */
function registryIn({ definitions }: Health): Registry {
  if (definitions === undefined)
    throw new ConfigurationError('The app says nothing of its agents: synthesize it with this version of Vigil.');
  return (require(definitions) as { shipped: Registry }).shipped;
}
