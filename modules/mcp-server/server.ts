import {
  type CallToolResult,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Conversation } from '../../core/base/state/schemas';
import { readCallback } from '../../core/conversations/calls/callback';
import { roleIn } from '../../core/conversations/members/role';
import { BadRequest, problemOf } from '../../lambdas/problems';
import { contentOfFiles, readResource, uriTemplate } from './files';
import {
  type Asking,
  answerTo,
  canElicit,
  inputRequests,
  isRefused,
  knowsTasks,
  requestState,
  type ToolResult,
  tasksExtension,
} from './questions';
import { asStopped, cancel, look, type Person, type Place, say, type Talking } from './talk';
import { isOver, placeOf, taskId, taskOf } from './tasks';
import { Cancel, cancelRun, Message, offered, Read, readConversation, toolsOf } from './tools';
import { filesOfTurn, openQuestion, turnOf, wordsOf } from './turn';

export interface Serving extends Talking {
  /** The address of the page, where people approve. */
  page?: string;
}

const instructions =
  'Each agent is a tool. Agents outlive this connection: keep the id of the conversation, and read it later with read_conversation. Ask the user before you answer an agent’s question. Approvals are decided by people on the page, never by a tool.';

/** Agents change with a deployment, and clients ask again after this time. */
const listedForMs = 5 * 60_000;

const OfTask = z.looseObject({ taskId: z.string() });

/** The server of one request of one person, whatever revision the client speaks. Everything that it knows is in the table. */
export function mcpServer(serving: Serving, person: Person): Server {
  const server = new Server(
    { name: 'vigil', version: '1.0.0' },
    {
      capabilities: { tools: {}, resources: {}, extensions: { [tasksExtension]: {} } },
      cacheHints: {
        'server/discover': { ttlMs: listedForMs, cacheScope: 'private' },
        'tools/list': { ttlMs: listedForMs, cacheScope: 'private' },
      },
      instructions,
    },
  );
  const { user } = person;
  const agents = new Set(offered(serving.registry).map(({ name }) => name));

  server.setRequestHandler('tools/list', () => ({ tools: toolsOf(serving.registry) }));

  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
    const { name, arguments: given = {} } = params;
    // The SDK passes a task on, and does not name it as a type of result.
    if (agents.has(name)) return answering(() => call(name, given, mcpReq)) as Promise<CallToolResult>;
    if (name !== readConversation && name !== cancelRun)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no tool with this name: list the tools.');
    return answering(async () => {
      if (name === readConversation) {
        const { conversation, after } = parsed(Read, given);
        return shown(await look(serving, user, conversation, after));
      }
      const { conversation } = parsed(Cancel, given);
      const stopped = await cancel(serving, user, conversation);
      // Who had taken it over has left it with the run.
      if (roleIn(stopped, user) === undefined) return shown(asStopped(stopped));
      return shown(await look(serving, user, conversation));
    });
  });

  // A client knows a file by the result that has it: the function may not list what a user has.
  server.setRequestHandler('resources/list', () => ({ resources: [] }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      { name: 'file', uriTemplate, description: 'A file of a conversation: results of the tools have the addresses' },
    ],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) =>
    refusing(() => readResource(serving, user, uri), { uri }),
  );

  server.setRequestHandler('tasks/get', { params: OfTask }, async (params, { mcpReq }) => {
    assertKnowsTasks(mcpReq);
    const { place, conversation } = await stateOf(params.taskId);
    const task = taskOf(conversation, place, new Date());
    const question = openQuestion(conversation, place);
    if (task.status === 'input_required' && question)
      return { ...task, inputRequests: inputRequests(question, conversation.agent) };
    if (task.status !== 'completed') return { ...task };
    return { ...task, result: await outcome(conversation, place) };
  });

  server.setRequestHandler('tasks/update', { params: OfTask }, async (params, { mcpReq }) => {
    assertKnowsTasks(mcpReq);
    const { place, conversation } = await stateOf(params.taskId);
    const question = openQuestion(conversation, place);
    const words = question && answerTo(mcpReq, question.id);
    // Answers to what is not asked, or no longer, are ignored.
    if (question && words !== undefined) await refusing(() => answer(place, question.id, words));
    return {};
  });

  server.setRequestHandler('tasks/cancel', { params: OfTask }, async (params, { mcpReq }) => {
    assertKnowsTasks(mcpReq);
    const { place, conversation } = await stateOf(params.taskId);
    if (!isOver(conversation, place))
      await refusing(() => cancel(serving, user, conversation.id, conversation.run?.id));
    return {};
  });

  return server;

  async function call(agent: string, given: object, request: Asking): Promise<ToolResult> {
    const state = request.requestState();
    if (state !== undefined) return continued(agent, state as string, request);
    return turnAfter(agent, await say(serving, person, { ...parsed(Message, given), agent }), request);
  }

  /**
   * Gives the agent the user's answer to the question that an earlier answer to this call has asked.
   *
   * @throws ProtocolError if nothing of this user's has the state. No model could correct that.
   */
  async function continued(agent: string, state: string, request: Asking): Promise<ToolResult> {
    const { place, question } = requestState(state) ?? {};
    if (!place || !question || !(await readCallback(serving.table, place.conversation, question))) throw noState();
    try {
      const words = answerTo(request, question);
      if (words !== undefined) await answer(place, question, words, agent);
      return await turnAfter(agent, place, request);
    } catch (error) {
      throw (error as Error).name === 'NotFound' ? noState() : error;
    }
  }

  /** The same answer to the same question is one message, however often it is sent. */
  function answer({ conversation, seq }: Place, question: string, message: string, agent?: string): Promise<Place> {
    return say(serving, person, { agent, conversation, question, message, request_id: `answer ${seq}` });
  }

  async function turnAfter(agent: string, place: Place, request: Asking): Promise<ToolResult> {
    const conversation = await look(serving, user, place.conversation, place.seq - 1);
    const question = openQuestion(conversation, place);
    const refuses = question && isRefused(request, question.id);
    if (question && canElicit(request) && !refuses)
      return {
        resultType: 'input_required',
        inputRequests: inputRequests(question, agent),
        requestState: `${taskId(place)}.${question.id}`,
      };
    if (knowsTasks(request) && !refuses && !isOver(conversation, place))
      return { resultType: 'task', ...taskOf(conversation, place, new Date()) };
    return outcome(conversation, place);
  }

  /** Returns what has become of a message: an error if its run has failed, or has reached a limit. */
  async function outcome(conversation: Conversation, { seq }: Place): Promise<CallToolResult> {
    const failed = /^(failed|limited)$/.test(conversation.status) && { isError: true };
    return { ...(await shown(conversation, seq)), ...failed };
  }

  /** @throws ProtocolError if there is no such task, or it is somebody else's. */
  async function stateOf(id: string) {
    const place = placeOf(id);
    if (!place) throw noTask();
    const conversation = await refusing(() => look({ ...serving, waitMs: 0 }, user, place.conversation, place.seq - 1));
    const [message] = conversation.messages;
    if (message?.seq !== place.seq || message.role !== 'user') throw noTask();
    return { place, conversation };
  }

  async function shown(conversation: Conversation, ownSeq?: number): Promise<CallToolResult> {
    const turn = turnOf(conversation, serving.page);
    // The client has its own message's files.
    const files = filesOfTurn(conversation, turn, ownSeq);
    const content = await contentOfFiles(serving, conversation.owner ?? user, conversation.id, files);
    return { content: [{ type: 'text', text: wordsOf(turn, ownSeq) }, ...content], structuredContent: turn };
  }
}
const noTask = () => new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such task.');
const noState = () =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, 'requestState: send the one that you have got, unchanged.');

/** Tasks of 2025-11-25 were an experiment of that revision, and are not served. */
function assertKnowsTasks(request: Asking): void {
  if (!request.envelope) throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found');
  if (!knowsTasks(request))
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [tasksExtension]: {} } } });
}

/** @throws BadRequest with each wrong argument. */
function parsed<Schema extends z.ZodType>(schema: Schema, given: object): z.output<Schema> {
  const { success, data, error } = schema.safeParse(given);
  if (success) return data;
  throw new BadRequest(error.issues.map(({ path, message }) => ({ path: path.join('.') || 'arguments', message })));
}

/** Returns what goes wrong as the tool's result, so that the model reads it. @throws ProtocolError for what is the client's fault. */
async function answering<Result>(work: () => Promise<Result>): Promise<Result | CallToolResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    return { isError: true, content: [{ type: 'text', text: problemOf(error as Error).detail }] };
  }
}

/** A task has no result yet in which this could be, and a file none at all. @param data what programs read of the error. */
async function refusing<Result>(work: () => Promise<Result>, data?: object): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { status, detail } = problemOf(error as Error);
    const code = status >= 500 ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
    throw new ProtocolError(code, detail, data);
  }
}
