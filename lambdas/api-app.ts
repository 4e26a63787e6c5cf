import { OpenAPIHono } from '@hono/zod-openapi';
import type { LambdaContext, LambdaEvent } from 'hono/aws-lambda';
import { HTTPException } from 'hono/http-exception';
import { NotFound } from '../core/errors';
import { newConversationId } from '../core/ids';
import type { Registry } from '../core/registry';
import { Message } from '../core/schemas';
import { appendMessage, createConversation, type Said } from '../core/store/conversation';
import { listConversations } from '../core/store/list';
import { retryRun } from '../core/store/retry';
import type { Meta, StoredCallback } from '../core/store/rows';
import type { Table } from '../core/store/table';
import { viewConversation } from '../core/store/view';
import { answerCallback, listMine, readConversation, retry, sendMessage, startConversation } from './api-routes';
import { log } from './log';
import { BadRequest, problemBody, problemOf, problemType } from './problems';

/** What API Gateway hands over: the token has been verified by its authorizer. */
interface Environment {
  Bindings: { event: LambdaEvent; lambdaContext: LambdaContext };
  Variables: { user: string };
}

/** How the API makes things happen outside the table. Both may fail or be lost: the relay does them again. */
export interface Actions {
  startSegment(meta: Meta): Promise<void>;
  resume(conversationId: string, callback: Required<Pick<StoredCallback, 'id' | 'taskTokens'>>): Promise<void>;
}

export function api(table: Table, { agents }: Registry, actions: Actions) {
  const app = new OpenAPIHono<Environment>({
    defaultHook: (result) => {
      if (!result.success)
        throw new BadRequest(result.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })));
    },
  });

  app.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: { title: 'Vigil', version: '1', description: 'Agents that wait.' },
  });
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
  });

  app.use('/conversations/*', async (context, next) => {
    const user = userOf(context.env.event);
    if (!user) throw new HTTPException(401, { message: 'Sign in: there is no user in the token.' });
    context.set('user', user);
    await next();
  });

  app.openapi(startConversation, async (context) => {
    const { agent, text, id = newConversationId(), clientMessageId } = context.req.valid('json');
    if (!agents.has(agent)) {
      throw new BadRequest([
        { path: 'agent', message: `there is no agent "${agent}"; there are: ${[...agents.keys()].join(', ')}` },
      ]);
    }
    const user = context.get('user');
    const { meta, created } = await createConversation(table, { id, user, agent, text, clientMessageId }, new Date());
    if (meta.outbox === 'start') await atOnce(() => actions.startSegment(meta));
    return context.json(await viewConversation(table, id, user), created ? 201 : 200);
  });

  app.openapi(listMine, async (context) => {
    const { cursor } = context.req.valid('query');
    return context.json(await listConversations(table, context.get('user'), cursor), 200);
  });

  app.openapi(readConversation, async (context) => {
    const { id } = context.req.valid('param');
    return context.json(await viewConversation(table, id, context.get('user'), context.req.valid('query').after), 200);
  });

  /** Stores what a person said, and does at once what follows from it. */
  async function say(id: string, said: Said): Promise<Message> {
    const { message, meta, answered } = await appendMessage(table, id, said, new Date());
    if (meta.outbox === 'start') await atOnce(() => actions.startSegment(meta));
    if (answered?.taskTokens.length) await atOnce(() => actions.resume(id, answered));
    return Message.parse(message);
  }

  app.openapi(sendMessage, async (context) => {
    const { id } = context.req.valid('param');
    return context.json(await say(id, { ...context.req.valid('json'), user: context.get('user') }), 202);
  });

  app.openapi(answerCallback, async (context) => {
    const { id, callbackId } = context.req.valid('param');
    const { answer: text } = context.req.valid('json');
    return context.json(await say(id, { text, callbackId, user: context.get('user') }), 202);
  });

  app.openapi(retry, async (context) => {
    const { id } = context.req.valid('param');
    const user = context.get('user');
    const meta = await retryRun(table, id, user, new Date());
    await atOnce(() => actions.startSegment(meta));
    return context.json(await viewConversation(table, id, user), 202);
  });

  app.notFound(({ req }) => {
    throw new NotFound(`There is no ${req.method} ${req.path}.`);
  });
  app.onError((error, context) => {
    const problem = problemOf(error);
    return context.body(problemBody(problem), problem.status, problemType);
  });
  return app;
}

/** The effect of a commit. When it fails the commit stands, the relay repeats the effect, and the caller need not know. */
async function atOnce(effect: () => Promise<void>): Promise<void> {
  try {
    await effect();
  } catch (error) {
    log.warn('left to the relay', { error: (error as Error).name });
  }
}

function userOf(event: LambdaEvent): string | undefined {
  const { authorizer } = event.requestContext as { authorizer?: { jwt?: { claims?: { sub?: string } } } };
  return authorizer?.jwt?.claims?.sub;
}
