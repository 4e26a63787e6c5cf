import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Conversation } from '../../core/base/state/schemas';
import type { Place } from './talk';
import { placeOf, type Task } from './tasks';

// An agent's question as the protocol's own one (revision 2026-07-28): the result of the call, or its task, asks for the user's words, and the
// client sends them with the same call once more. Approvals are never asked for in this way: a client's model could decide them.

/** A tool's result, or what comes instead of it: a question, or a task. */
export type ToolResult =
  | CallToolResult
  | { resultType: 'input_required'; inputRequests: object; requestState: string }
  | ({ resultType: 'task' } & Task);

/** The part of a request's context that says what a client can do, and what it has answered. */
export interface Asking {
  envelope?: object;
  requestState(): unknown;
  inputResponses?: Record<string, unknown>;
}

/** The fields of a form have no more than text. */
const longestAnswer = 100_000;

type Question = Conversation['callbacks'][number];

/** Returns the question as a form with one field, by its id. */
export const inputRequests = ({ id, prompt }: Question, agent: string): object => ({
  [id]: {
    method: 'elicitation/create',
    params: {
      mode: 'form',
      message: `The agent ${agent} asks: ${prompt}`,
      requestedSchema: {
        type: 'object',
        properties: {
          answer: { type: 'string', title: 'Answer', minLength: 1, maxLength: longestAnswer },
        },
        required: ['answer'],
      },
    },
  },
});

const Response = z.object({
  action: z.string(),
  content: z.object({ answer: z.string() }).optional().catch(undefined),
});

const responseTo = ({ inputResponses = {} }: Asking, question: string) =>
  Object.hasOwn(inputResponses, question) ? Response.safeParse(inputResponses[question]).data : undefined;

/** Returns the user's words for a question; undefined if there are none, so that it is asked again. */
export function answerTo(request: Asking, question: string): string | undefined {
  const { action, content } = responseTo(request, question) ?? {};
  const words = action === 'accept' ? content?.answer.trim() : undefined;
  return words && words.length <= longestAnswer ? words : undefined;
}

/** Whether the user does not want to answer. The question stays open, on the page too. */
export function isRefused(request: Asking, question: string): boolean {
  const action = responseTo(request, question)?.action;
  return action === 'decline' || action === 'cancel';
}

/**
 * Reads the state that a client has sent back. It names a place and a question and gives no right to them: its sender must have the
 * conversation anyway, and could answer the question with an argument of the tool.
 */
export function requestState(text: string): { place: Place; question: string } | undefined {
  const [, id = '', question] = /^([\w-]{1,64}\.\d{1,9})\.([\w.-]{1,120})$/.exec(text) ?? [];
  const place = placeOf(id);
  return place && question ? { place, question } : undefined;
}

const Capabilities = z.looseObject({
  elicitation: z.looseObject({}).optional().catch(undefined),
  extensions: z.looseObject({}).optional().catch(undefined),
});

function capabilitiesOf({ envelope = {} }: Asking): z.infer<typeof Capabilities> {
  const declared = (envelope as Record<string, unknown>)['io.modelcontextprotocol/clientCapabilities'];
  return Capabilities.safeParse(declared).data ?? {};
}

/** Whether the client can show a form. A capability without any mode is one for forms. */
export function canElicit(request: Asking): boolean {
  const { elicitation } = capabilitiesOf(request);
  return elicitation !== undefined && ('form' in elicitation || !('url' in elicitation));
}

/** The extension by which a client takes a task instead of a result. */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** Whether the client takes a task instead of a result. */
export const knowsTasks = (request: Asking): boolean =>
  Object.hasOwn(capabilitiesOf(request).extensions ?? {}, tasksExtension);
