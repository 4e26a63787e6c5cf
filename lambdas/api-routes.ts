import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { Conversation, ConversationSummary, Message } from '../core/schemas';

/** RFC 9457. `errors` names the offending fields of a bad request; `outcome` is the first answer of a 409. */
export const Problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    outcome: z.unknown().optional(),
  })
  .openapi('Problem');

const Id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'use 1 to 64 letters, digits, - or _');
const Text = z.string().trim().min(1).max(100_000);
export const StartConversation = z
  .strictObject({
    agent: z.string().openapi({ description: 'The name of an agent of this deployment', example: 'reminder' }),
    text: Text.optional().openapi({ description: 'The first message; it starts a run' }),
    id: Id.optional().openapi({
      description: 'Your own id: the same one again returns the conversation that is there',
    }),
    clientMessageId: Id.optional(),
  })
  .openapi('StartConversation');
export const SendMessage = z
  .strictObject({
    text: Text,
    clientMessageId: Id.optional().openapi({ description: 'Your own id: the same one again stores nothing new' }),
  })
  .openapi('SendMessage');
export const AnswerCallback = z
  .strictObject({ answer: Text.openapi({ description: 'In words; it becomes a message of the conversation' }) })
  .openapi('AnswerCallback');
export const ConversationPage = z
  .object({ conversations: z.array(ConversationSummary), cursor: z.string().optional() })
  .openapi('ConversationPage');

const json = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  description,
  content: { 'application/json': { schema } },
});
const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: Problem } },
});
const body = <Schema extends z.ZodType>(schema: Schema) => ({
  required: true,
  content: { 'application/json': { schema } },
});
const conversation = Conversation.openapi('Conversation');
const security = [{ bearer: [] }];
const id = z.object({ id: Id });

export const startConversation = createRoute({
  method: 'post',
  path: '/conversations',
  summary: 'Starts a conversation, and with a text its first run',
  security,
  request: { body: body(StartConversation) },
  responses: {
    200: json('It was there already; nothing was started', conversation),
    201: json('Started', conversation),
    400: problem('The body is not as it should be'),
    404: problem('The id belongs to a conversation that is not yours'),
  },
});

export const listMine = createRoute({
  method: 'get',
  path: '/conversations',
  summary: 'Your conversations, the last changed first',
  security,
  request: { query: z.object({ cursor: z.string().optional() }) },
  responses: { 200: json('A page of them', ConversationPage), 400: problem('The cursor is not one of ours') },
});

export const readConversation = createRoute({
  method: 'get',
  path: '/conversations/{id}',
  summary: 'Messages, run, calls, pending callbacks and usage',
  security,
  request: {
    params: id,
    query: z.object({
      after: z.coerce.number().int().min(0).default(0).openapi({ description: 'Only messages after this seq' }),
    }),
  },
  responses: { 200: json('The conversation', conversation), 404: problem('You have no such conversation') },
});

export const sendMessage = createRoute({
  method: 'post',
  path: '/conversations/{id}/messages',
  summary: 'Says something: starts or feeds the run, or answers its question',
  security,
  request: { params: id, body: body(SendMessage) },
  responses: {
    202: json('Stored; the work goes on in the background', Message.openapi('Message')),
    400: problem('The body is not as it should be'),
    404: problem('You have no such conversation'),
  },
});

export const answerCallback = createRoute({
  method: 'post',
  path: '/conversations/{id}/callbacks/{callbackId}',
  summary: 'Answers a question; the first answer holds',
  security,
  request: {
    params: id.extend({ callbackId: z.string().regex(/^[\w.-]{1,120}$/) }),
    body: body(AnswerCallback),
  },
  responses: {
    202: json('Answered; the run goes on', Message),
    400: problem('The body is not as it should be'),
    404: problem('You have no such conversation, or it no such callback'),
    409: problem('It has its outcome already, which is in `outcome`'),
  },
});

export const retry = createRoute({
  method: 'post',
  path: '/conversations/{id}/retry',
  summary: 'Lets a run that failed or reached a limit go on from the step where it stopped',
  security,
  request: { params: id },
  responses: {
    202: json('It goes on', conversation),
    404: problem('You have no such conversation'),
    409: problem('There is nothing to go on with'),
  },
});
