import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { deleteConversation } from '../../core/conversation/delete';
import { createConversation } from '../../core/runs/conversation';
import { Metadata, metadataBytes } from '../../core/state/given';
import { Call, ConversationSummary } from '../../core/state/schemas';
import { Locale } from '../../core/time/time-zone';
import { readVersions } from '../../core/views/branches';
import { listConversations, listOpenConversations, OpenState } from '../../core/views/list';
import { readTimeline } from '../../core/views/read-timeline';
import { Timeline } from '../../core/views/timeline';
import { viewConversation } from '../../core/views/view';
import { readWholeCall, wholeCalls } from '../../core/views/whole-calls';
import { BadRequest } from '../problems';
import type { App, Deployment } from './deployment';
import { machineFor } from './developers';
import { claimsKept } from './kept-claims';
import {
  body,
  conversation,
  Id,
  inConversation,
  json,
  named,
  newIdFor,
  notAsItShouldBe,
  notYours,
  PartId,
  problem,
  signedIn,
  Text,
  tooMany,
} from './shapes';

export const StartConversation = z
  .strictObject({
    agent: z.string().openapi({ description: 'The name of an agent of this deployment', example: 'reminder' }),
    text: Text.optional().openapi({ description: 'The first message, which starts a run' }),
    id: Id.optional().openapi({
      description:
        'Your own id, of at most 46 characters. The response has the conversation’s id, which ends with it. A repeated id returns the existing conversation',
    }),
    clientMessageId: Id.optional(),
    metadata: Metadata.optional().openapi({
      description: `Up to ${metadataBytes} bytes of JSON, for the deployment’s own agents and tools. It does not change`,
    }),
    ...Locale.shape,
  })
  .openapi('StartConversation');

export const ConversationPage = z
  .object({ conversations: z.array(ConversationSummary), cursor: z.string().optional() })
  .openapi('ConversationPage');

const start = createRoute({
  method: 'post',
  path: '/conversations',
  summary: 'Creates a conversation and, if there is a text, starts its first run',
  security: signedIn,
  request: { body: body(StartConversation) },
  responses: {
    200: json('The conversation already exists; nothing was started', conversation),
    201: json('Created', conversation),
    400: notAsItShouldBe,
    404: problem('The conversation with this id was deleted'),
    429: tooMany,
  },
});

const list = createRoute({
  method: 'get',
  path: '/conversations',
  summary:
    'Your conversations, pinned ones first, then the last changed first; those with a `state`, the last begun first. Archived ones are in a list of their own',
  security: signedIn,
  request: {
    query: z.object({
      cursor: z.string().optional(),
      state: OpenState.or(z.literal('archived')).optional().openapi({
        description:
          '`active`: the latest run is not over. `failed`: it failed or reached a limit, and can be retried. Such a page may have few or none: go on while there is a cursor. `archived`: you have put it away',
      }),
    }),
  },
  responses: { 200: json('A page of conversations', ConversationPage), 400: problem('The cursor is invalid') },
});

const read = createRoute({
  method: 'get',
  path: '/conversations/{id}',
  summary: 'Messages, run, calls, callbacks, timers and usage',
  security: signedIn,
  request: {
    params: inConversation,
    query: z.object({
      after: z.coerce.number().int().min(0).default(0).openapi({ description: 'Only messages after this seq' }),
    }),
  },
  responses: { 200: json('The conversation', conversation), 404: notYours },
});

export const TimelinePage = named('Timeline', Timeline).extend({
  stateMachineArn: z.string().optional().openapi({
    description: 'For developers: the state machine. The execution of a segment is named `<run>-<segment>`',
  }),
});

const timeline = createRoute({
  method: 'get',
  path: '/conversations/{id}/timeline',
  summary: 'Every model call, tool call, wait and callback of the runs, with times, attempts, tokens and cost',
  security: signedIn,
  request: { params: inConversation },
  responses: { 200: json('The runs, oldest first', TimelinePage), 404: notYours },
});

export const CallPage = z.object({ calls: z.array(named('Call', Call)), more: z.boolean() }).openapi('CallPage');

const calls = createRoute({
  method: 'get',
  path: '/conversations/{id}/calls',
  summary:
    'The calls with their whole arguments and results, for an export. The conversation has the beginning of long ones',
  security: signedIn,
  request: {
    params: inConversation,
    query: z.object({
      after: PartId.optional().openapi({ description: 'Only calls after this id. They are in the order of their ids' }),
    }),
  },
  responses: { 200: json('A page of calls. Go on while there are more', CallPage), 404: notYours },
});

const readCall = createRoute({
  method: 'get',
  path: '/conversations/{id}/calls/{callId}',
  summary: 'A call with all of its arguments and its result, of which a conversation shows the beginning',
  security: signedIn,
  request: { params: inConversation.extend({ callId: PartId }) },
  responses: { 200: json('The call', named('Call', Call)), 404: notYours },
});

const remove = createRoute({
  method: 'delete',
  path: '/conversations/{id}',
  summary: 'Deletes a conversation: cancels and rolls back its run, cancels its timers, removes it from all lists',
  security: signedIn,
  request: {
    params: inConversation,
    query: z.object({
      versions: z.enum(['all', 'this']).default('this').openapi({
        description: '`all`: deletes its forks, too, and the conversation that they fork, with all of its forks',
      }),
    }),
  },
  responses: { 204: { description: 'Deleted' }, 404: notYours },
});

export function conversationRoutes(
  app: App,
  { table, registry, actions, counts, developers, keptClaims }: Deployment,
): void {
  const { agents } = registry;

  app.openapi(start, async (context) => {
    const { agent, text, id: chosen, clientMessageId, metadata, ...locale } = context.req.valid('json');
    if (!agents.has(agent)) {
      throw new BadRequest([
        { path: 'agent', message: `there is no agent "${agent}"; there are: ${[...agents.keys()].join(', ')}` },
      ]);
    }
    const user = context.get('user');
    const id = newIdFor(user, chosen);
    const claims = claimsKept(keptClaims, context.get('caller'));
    const startedBy = context.get('machine');
    const wanted = { id, user, agent, text, clientMessageId, locale, metadata, claims, startedBy };
    const { meta, created } = await createConversation(table, wanted, new Date(), counts());
    await actions.driveRun(meta);
    return context.json(await viewConversation(table, id, user), created ? 201 : 200);
  });

  app.openapi(list, async (context) => {
    const { cursor, state } = context.req.valid('query');
    const user = context.get('user');
    const archived = state === 'archived';
    const page =
      state && !archived
        ? listOpenConversations(table, user, state, cursor)
        : listConversations(table, user, cursor, archived ? { of: ['archived'] } : {});
    return context.json(await page, 200);
  });

  app.openapi(read, async (context) => {
    const { id } = context.req.valid('param');
    return context.json(await viewConversation(table, id, context.get('user'), context.req.valid('query').after), 200);
  });

  app.openapi(timeline, async (context) => {
    const { id } = context.req.valid('param');
    const read = await readTimeline(table, registry.tools, id, context.get('user'), new Date());
    return context.json({ ...read, ...machineFor(developers, context.get('caller')) }, 200);
  });

  app.openapi(calls, async (context) => {
    const { id } = context.req.valid('param');
    return context.json(await wholeCalls(table, id, context.get('user'), context.req.valid('query').after), 200);
  });

  app.openapi(readCall, async (context) => {
    const { id, callId } = context.req.valid('param');
    return context.json(await readWholeCall(table, id, context.get('user'), callId), 200);
  });

  app.openapi(remove, async (context) => {
    const { id } = context.req.valid('param');
    const user = context.get('user');
    const { versions } = context.req.valid('query');
    // This one comes last, so a request that is broken off can be repeated.
    for (const one of versions === 'all' ? await readVersions(table, id, user) : [id]) {
      const { meta, timers } = await deleteConversation(table, registry.tools, one, user, new Date());
      await actions.driveRun(meta);
      for (const timer of timers) await actions.driveTimer(timer);
    }
    return context.body(null, 204);
  });
}
