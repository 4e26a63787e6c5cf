import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  CancelTaskRequestSchema,
  type CreateTaskResult,
  ErrorCode,
  GetTaskPayloadRequestSchema,
  GetTaskRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  RELATED_TASK_META_KEY,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type * as z from 'zod';
import type { Conversation } from '../../core/base/state/schemas';
import { BadRequest, problemOf } from '../problems';
import { contentOfFiles, readResource, uriTemplate } from './files';
import { cancel, look, type Person, type Place, say, type Talking } from './talk';
import { placeOf, taskId, taskOf } from './tasks';
import { Cancel, cancelRun, Message, offered, Read, readConversation, toolsOf } from './tools';
import { filesOfTurn, turnOf, wordsOf } from './turn';

export interface Serving extends Talking {
  /** The address of the page, where people approve. */
  page?: string;
}

const instructions =
  'Each agent is a tool. Agents outlive this connection: keep the id of the conversation, and read it later with read_conversation. Ask the user before you answer an agent’s question. Approvals are decided by people on the page, never by a tool.';

/** The server of one request of one person. Everything that it knows is in the table. */
export function mcpServer(serving: Serving, person: Person): Server {
  const server = new Server(
    { name: 'vigil', version: '1.0.0' },
    {
      capabilities: { tools: {}, resources: {}, tasks: { cancel: {}, requests: { tools: { call: {} } } } },
      instructions,
    },
  );
  const { user } = person;
  const agents = new Set(offered(serving.registry).map(({ name }) => name));

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolsOf(serving.registry) }));

  server.setRequestHandler(CallToolRequestSchema, async ({ params }): Promise<CallToolResult | CreateTaskResult> => {
    const { name, arguments: given = {}, task } = params;
    if (agents.has(name)) return task ? { task: await begin(name, given) } : answering(() => call(name, given));
    if (name !== readConversation && name !== cancelRun)
      throw new McpError(ErrorCode.InvalidParams, 'There is no tool with this name: list the tools.');
    if (task) throw new McpError(ErrorCode.MethodNotFound, `${name} is no task: call it without one.`);
    return answering(async () => {
      if (name === readConversation) {
        const { conversation, after } = parsed(Read, given);
        return shown(await look(serving, user, conversation, after));
      }
      const { conversation } = parsed(Cancel, given);
      await cancel(serving, user, conversation);
      return shown(await look(serving, user, conversation));
    });
  });

  // A client knows a file by the result that has it: the function may not list what a user has.
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [] }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [
      { name: 'file', uriTemplate, description: 'A file of a conversation: results of the tools have the addresses' },
    ],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) =>
    refusing(() => readResource(serving, user, params.uri)),
  );

  server.setRequestHandler(GetTaskRequestSchema, async ({ params }) => ({ ...(await stateOf(params.taskId)).task }));

  server.setRequestHandler(GetTaskPayloadRequestSchema, async ({ params }) => {
    const place = known(params.taskId);
    await refusing(() => look(serving, user, place.conversation));
    const { task, conversation } = await stateOf(params.taskId);
    if (task.status === 'working')
      throw new McpError(ErrorCode.InvalidRequest, 'The agent still works: ask tasks/get until the task has ended.');
    const failed = task.status === 'failed' && { isError: true };
    return {
      ...(await shown(conversation, place.seq)),
      ...failed,
      _meta: { [RELATED_TASK_META_KEY]: { taskId: task.taskId } },
    };
  });

  server.setRequestHandler(CancelTaskRequestSchema, async ({ params }) => {
    const { task, conversation } = await stateOf(params.taskId);
    if (task.status !== 'working') throw new McpError(ErrorCode.InvalidParams, `The task is ${task.status} already.`);
    await refusing(() => cancel(serving, user, conversation.id, conversation.run?.id));
    return { ...(await stateOf(params.taskId)).task };
  });

  return server;

  async function call(agent: string, given: object): Promise<CallToolResult> {
    const { conversation, seq } = await say(serving, person, { ...parsed(Message, given), agent });
    return shown(await look(serving, user, conversation, seq - 1), seq);
  }

  async function begin(agent: string, given: object) {
    const place = await refusing(() => say(serving, person, { ...parsed(Message, given), agent }));
    return (await stateOf(taskId(place))).task;
  }

  /** @throws McpError if there is no such task, or it is somebody else's. */
  async function stateOf(id: string) {
    const { conversation: of, seq } = known(id);
    const conversation = await refusing(() => look({ ...serving, waitMs: 0 }, user, of, seq - 1));
    const task = taskOf(conversation, { conversation: of, seq }, new Date());
    if (!task) throw noTask();
    return { task, conversation };
  }

  async function shown(conversation: Conversation, ownSeq?: number): Promise<CallToolResult> {
    const turn = turnOf(conversation, serving.page);
    // The client has its own message's files.
    const files = filesOfTurn(conversation, turn, ownSeq);
    const content = await contentOfFiles(serving, conversation.owner ?? user, conversation.id, files);
    return { content: [{ type: 'text', text: wordsOf(turn, ownSeq) }, ...content], structuredContent: turn };
  }
}

const noTask = () => new McpError(ErrorCode.InvalidParams, 'There is no such task.');

function known(id: string): Place {
  const place = placeOf(id);
  if (!place) throw noTask();
  return place;
}

/** @throws BadRequest with each wrong argument. */
function parsed<Schema extends z.ZodType>(schema: Schema, given: object): z.output<Schema> {
  const { success, data, error } = schema.safeParse(given);
  if (success) return data;
  throw new BadRequest(error.issues.map(({ path, message }) => ({ path: path.join('.') || 'arguments', message })));
}

/** Returns what goes wrong as the tool's result, so that the model reads it. */
async function answering(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: problemOf(error as Error).detail }] };
  }
}

/** A task has no result yet in which this could be. */
async function refusing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { status, detail } = problemOf(error as Error);
    throw new McpError(status >= 500 ? ErrorCode.InternalError : ErrorCode.InvalidParams, detail);
  }
}
