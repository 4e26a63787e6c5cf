import * as z from 'zod';
import { Metadata, metadataBytes } from '../../../core/base/state/given';
import { Call, Conversation, ConversationSummary } from '../../../core/base/state/schemas';
import { Locale } from '../../../core/base/time/time-zone';
import { markDeleted } from '../../../core/conversations/conversation/delete';
import { createConversation } from '../../../core/conversations/runs/conversation';
import { readVersions } from '../../../core/people/views/branches';
import { listConversations, listOpenConversations, listShared, OpenState } from '../../../core/people/views/list';
import { readTimeline } from '../../../core/people/views/read-timeline';
import { Timeline } from '../../../core/people/views/timeline';
import { viewConversation } from '../../../core/people/views/view';
import { readWholeCall, wholeCalls } from '../../../core/people/views/whole-calls';
import { content, contentIn } from '../content';
import type { App, Deployment } from '../deployment';
import { machineFor } from '../developers';
import * as example from '../examples';
import { claimsKept } from '../kept-claims';
import { route } from '../route';
import { body, Cursor, checkAgent, Id, inConversation, json, newIdFor, PartId, problem } from '../shapes';
import { logSubject } from '../subject';
import { callerIn } from '../trace-headers';

const StartConversation = z
  .strictObject({
    agent: z.string().openapi({ description: 'The name of an agent of this deployment', example: 'reminder' }),
    ...content,
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
  .openapi('StartConversation', { examples: [example.start] });

export const ConversationPage = z
  .object({ conversations: z.array(ConversationSummary), cursor: z.string().optional() })
  .openapi('ConversationPage');

const start = route('startConversation', 'Conversations', {
  method: 'post',
  path: '/conversations',
  summary: 'Creates a conversation and, if there is a text, starts its first run',
  request: { body: body(StartConversation) },
  responses: {
    200: json('The conversation already exists; nothing was started', Conversation),
    201: json('Created', Conversation),
    404: problem('The conversation with this id was deleted'),
  },
});

const list = route('listConversations', 'Conversations', {
  method: 'get',
  path: '/conversations',
  summary:
    'Your conversations, pinned ones first, then the last changed first; those with a `state`, the last begun first. Archived ones are in a list of their own',
  request: {
    query: z.object({
      cursor: Cursor,
      state: z
        .enum([...OpenState.options, 'archived', 'shared'])
        .optional()
        .openapi({
          description:
            '`active`: the latest run is not over. `failed`: it failed or reached a limit, and can be retried. Such a page may have few or none: go on while there is a cursor. `archived`: you have put it away. `shared`: another user shares it with you; these are in no order of time',
        }),
    }),
  },
  responses: { 200: json('A page of conversations', ConversationPage) },
});

const read = route('getConversation', 'Conversations', {
  needs: 'watcher',
  method: 'get',
  path: '/conversations/{id}',
  summary: 'Messages, run, calls, callbacks, timers and usage',
  request: {
    params: inConversation,
    query: z.object({
      after: z.coerce.number().int().min(0).default(0).openapi({ description: 'Only messages after this seq' }),
    }),
  },
  responses: { 200: json('The conversation', Conversation) },
});

const TimelinePage = Timeline.extend({
  stateMachineArn: z.string().optional().openapi({
    description: 'For developers: the state machine. The execution of a segment is named `<run>-<segment>`',
  }),
}).openapi('Timeline');

const timeline = route('getTimeline', 'Runs', {
  needs: 'watcher',
  method: 'get',
  path: '/conversations/{id}/timeline',
  summary: 'Every model call, tool call, wait and callback of the runs, with times, attempts, tokens and cost',
  request: { params: inConversation },
  responses: { 200: json('The runs, oldest first', TimelinePage) },
});

const CallPage = z.object({ calls: z.array(Call), more: z.boolean() }).openapi('CallPage');

const calls = route('listCalls', 'Runs', {
  needs: 'watcher',
  method: 'get',
  path: '/conversations/{id}/calls',
  summary:
    'The calls with their whole arguments and results, for an export. The conversation has the beginning of long ones',
  request: {
    params: inConversation,
    query: z.object({
      after: PartId.optional().openapi({ description: 'Only calls after this id. They are in the order of their ids' }),
    }),
  },
  responses: { 200: json('A page of calls. Go on while there are more', CallPage) },
});

const readCall = route('getCall', 'Runs', {
  needs: 'watcher',
  method: 'get',
  path: '/conversations/{id}/calls/{callId}',
  summary: 'A call with all of its arguments and its result, of which a conversation shows the beginning',
  request: { params: inConversation.extend({ callId: PartId.openapi({ description: 'The id of the call' }) }) },
  responses: { 200: json('The call', Call) },
});

const remove = route('deleteConversation', 'Conversations', {
  needs: 'owner',
  method: 'delete',
  path: '/conversations/{id}',
  summary: 'Deletes a conversation: cancels and rolls back its run, cancels its timers, removes it from all lists',
  request: {
    params: inConversation,
    query: z.object({
      versions: z.enum(['all', 'this']).default('this').openapi({
        description: '`all`: deletes its forks, too, and the conversation that they fork, with all of its forks',
      }),
    }),
  },
  responses: { 204: { description: 'Deleted' } },
});

export function conversationRoutes(app: App, { table, registry, counts, developers, keptClaims }: Deployment): void {
  const { agents } = registry;

  app.openapi(start, async (context) => {
    const { agent, text, parts, id: chosen, clientMessageId, metadata, ...locale } = context.req.valid('json');
    checkAgent(agents, agent);
    const user = context.get('user');
    const id = newIdFor(user, chosen);
    const claims = claimsKept(keptClaims, context.get('caller'));
    const startedBy = context.get('machine');
    const said = contentIn({ text, parts });
    const caller = callerIn(context.req);
    const wanted = { id, user, agent, ...said, clientMessageId, locale, metadata, claims, startedBy, caller };
    const { meta, created } = await createConversation(table, wanted, new Date(), counts());
    logSubject(meta);
    return context.json(await viewConversation(table, id, user), created ? 201 : 200);
  });

  app.openapi(list, async (context) => {
    const { cursor, state } = context.req.valid('query');
    const user = context.get('user');
    const archived = state === 'archived';
    const page =
      state === 'shared'
        ? listShared(table, context.get('caller'), cursor)
        : state && !archived
          ? listOpenConversations(table, user, state, cursor)
          : listConversations(table, user, cursor, archived ? { of: ['archived'] } : {});
    return context.json(await page, 200);
  });

  app.openapi(read, async (context) => {
    const { id } = context.req.valid('param');
    return context.json(
      await viewConversation(table, id, context.get('caller'), { after: context.req.valid('query').after }),
      200,
    );
  });

  app.openapi(timeline, async (context) => {
    const { id } = context.req.valid('param');
    const read = await readTimeline(table, registry.tools, id, context.get('caller'), new Date());
    return context.json({ ...read, ...machineFor(developers, context.get('caller')) }, 200);
  });

  app.openapi(calls, async (context) => {
    const { id } = context.req.valid('param');
    return context.json(await wholeCalls(table, id, context.get('caller'), context.req.valid('query').after), 200);
  });

  app.openapi(readCall, async (context) => {
    const { id, callId } = context.req.valid('param');
    return context.json(await readWholeCall(table, id, context.get('caller'), callId), 200);
  });

  app.openapi(remove, async (context) => {
    const { id } = context.req.valid('param');
    const user = context.get('user');
    const { versions } = context.req.valid('query');
    // This one comes last, so a request that is broken off can be repeated.
    for (const one of versions === 'all' ? await readVersions(table, id, user) : [id])
      await markDeleted(table, one, context.get('caller'), new Date());
    return context.body(null, 204);
  });
}
