import * as z from 'zod';
import { Source } from '../../../core/base/content/sources';
import { Conversation, isActive, Message } from '../../../core/base/state/schemas';
import { Locale } from '../../../core/base/time/time-zone';
import type { Caller } from '../../../core/conversations/agent/approvers';
import { nameOf } from '../../../core/conversations/approvals/person-name';
import { dueTimers, readTimers } from '../../../core/conversations/calls/timer';
import { cancelRun } from '../../../core/conversations/conversation/cancel';
import { forkConversation } from '../../../core/conversations/conversation/fork';
import { retryRun } from '../../../core/conversations/conversation/retry';
import { sendMessage } from '../../../core/conversations/conversation/send-message';
import { trust } from '../../../core/conversations/conversation/trust';
import { retryModel, wakeRun } from '../../../core/conversations/conversation/wake';
import { giveFiles, type SentPart } from '../../../core/conversations/files/references';
import { readMetaFor, readRole } from '../../../core/conversations/members/role';
import { key } from '../../../core/conversations/rows/keys';
import { readRow } from '../../../core/conversations/store/table';
import { RunAttempts } from '../../../core/machines/reconcile/attempts';
import { shownRecalled } from '../../../core/people/views/shown';
import { viewConversation } from '../../../core/people/views/view';
import { BadRequest } from '../../problems';
import { content, contentIn } from '../content';
import type { App, Deployment } from '../deployment';
import { isDeveloper } from '../developers';
import * as example from '../examples';
import { checkFork } from '../fork-policy';
import { claimsKept } from '../kept-claims';
import { refusal, route } from '../route';
import { body, Id, inConversation, json, newIdFor, PartId, problem, Text, UserId } from '../shapes';
import { logSubject } from '../subject';
import { callerIn } from '../trace-headers';

const SendMessage = z
  .strictObject({
    ...content,
    clientMessageId: Id.optional().openapi({
      description: 'Your own id. A repeated request stores nothing; the same id with other content is refused',
    }),
    to: z.enum(['agent', 'people']).default('agent').openapi({
      description: '`people`: no agent answers it, and it answers no question. Agents read it with what comes later',
    }),
    mentions: z.array(UserId).max(10).optional().openapi({
      description: 'The ids of users of the conversation, who are notified',
    }),
    ...Locale.shape,
  })
  .openapi('SendMessage', { examples: [example.send] });

const Fork = z
  .strictObject({
    step: z.number().int().min(1).openapi({ description: 'The step to make again. Everything before it is copied' }),
    runId: z.string().optional().openapi({ description: 'The run of the step; the latest one by default' }),
    id: Id.optional().openapi({ description: 'Your own id for the new conversation, as for `POST /conversations`' }),
    text: Text.optional().openapi({ description: 'Replaces the last message before the step' }),
    agent: z.string().optional(),
    model: z.string().min(1).max(100).optional().openapi({ description: 'One of the deployment’s models' }),
    instructions: Text.optional().openapi({
      description: 'Replaces the agent’s own instructions. For members of VIGIL_DEVELOPERS_GROUP',
    }),
  })
  .openapi('Fork', { examples: [example.fork] });

const send = route('sendMessage', 'Runs', {
  needs: 'member',
  method: 'post',
  path: '/conversations/{id}/messages',
  summary: 'Sends a message, which starts, wakes or joins a run, or answers its question',
  request: { params: inConversation, body: body(SendMessage) },
  responses: {
    202: json('Stored; the run continues in the background', Message),
    409: problem('The agent takes no messages during a run, or too many are unread'),
  },
});

const Recalled = z
  .object({
    text: z.string().openapi({ description: 'What the model read about you; of a summary, its words' }),
    sources: z.array(Source).openapi({ description: 'The outside sources of these words' }),
  })
  .openapi('Recalled');

const recalled = route('getRecalled', 'Runs', {
  needs: 'owner',
  method: 'get',
  path: '/conversations/{id}/messages/{seq}/recalled',
  summary: 'Returns what was recalled about you for a message that has `hasRecalled`. Nobody else reads it',
  request: {
    params: inConversation.extend({
      seq: z.coerce.number().int().min(1).openapi({ description: 'The number of the message' }),
    }),
  },
  responses: { 200: json('What was recalled', Recalled) },
});

const TakeOver = z
  .strictObject({
    reason: Text.max(1_000).openapi({ description: 'What you tell the people of the conversation, and its agent' }),
    clientMessageId: Id.optional().openapi({ description: 'Your own id. A repeated request changes nothing' }),
  })
  .openapi('TakeOver');

const takeOver = route('takeOver', 'Runs', {
  needs: 'person',
  method: 'post',
  path: '/conversations/{id}/take-over',
  summary:
    'Takes a conversation over from its agent without being asked. As soon as the run waits for you, it is in your approvals, and you are in it',
  request: { params: inConversation, body: body(TakeOver) },
  responses: {
    202: json('Stored; the run stops what it does, and waits for you', Message),
    403: refusal('The agent names no group of yours that may'),
    409: problem('It waits for a person already: claim that'),
  },
});

const Cancel = z
  .strictObject({
    runId: z.string().optional().openapi({ description: 'The run to cancel. Any other run is left alone' }),
  })
  .openapi('Cancel');

const cancel = route('cancelRun', 'Runs', {
  needs: 'member',
  method: 'post',
  path: '/conversations/{id}/cancel',
  summary:
    'Cancels the run in any state and undoes its effects. Finished when the run is `cancelled`. Another person than the owner stops it, and what it has done stays',
  request: { params: inConversation, body: { ...body(Cancel), required: false } },
  responses: {
    202: json('The run is `cancelled` or `cancelling`', Conversation),
    409: problem('There is nothing to cancel'),
  },
});

const attempts = route('getAttempts', 'Runs', {
  needs: 'watcher',
  method: 'get',
  path: '/conversations/{id}/attempts',
  summary:
    'What Step Functions knows of a run that works and gives no sign, and of timers that are due: attempts of functions that crashed, timed out, were throttled or could not start',
  request: { params: inConversation },
  responses: {
    200: json('Which attempts are in progress, why the ones before failed, and when they are made again', RunAttempts),
  },
});

const retry = route('retryRun', 'Runs', {
  needs: 'member',
  method: 'post',
  path: '/conversations/{id}/retry',
  summary: 'Continues a failed or limited run from the step where it stopped',
  request: { params: inConversation },
  responses: {
    202: json('The run continues', Conversation),
    409: problem('There is nothing to retry'),
  },
});

const Wake = z
  .strictObject({ until: z.iso.datetime().openapi({ description: 'The `until` of the conversation that you saw' }) })
  .openapi('Wake');

const wake = route('wakeRun', 'Runs', {
  needs: 'member',
  method: 'post',
  path: '/conversations/{id}/wake',
  summary: 'Wakes a sleeping run before its time. If it does not sleep until then, nothing changes',
  request: { params: inConversation, body: body(Wake) },
  responses: { 202: json('The conversation', Conversation) },
});

const RetryModel = z
  .strictObject({
    nextAt: z.iso.datetime().openapi({ description: 'The `nextAt` of the run’s `modelWait` that you saw' }),
  })
  .openapi('RetryModel');

const askModel = route('retryModel', 'Runs', {
  needs: 'member',
  method: 'post',
  path: '/conversations/{id}/retry-model',
  summary: 'Asks a model that does not answer again now. If the next attempt is not at that time, nothing changes',
  request: { params: inConversation, body: body(RetryModel) },
  responses: {
    202: json('The conversation', Conversation),
    409: problem('The server of the model has asked for the pause'),
  },
});

const fork = route('forkConversation', 'Runs', {
  needs: 'member',
  method: 'post',
  path: '/conversations/{id}/fork',
  summary: 'Makes a step again in a new conversation; this one does not change',
  request: { params: inConversation, body: body(Fork) },
  responses: {
    201: json('The new conversation', Conversation),
    403: refusal('You may not replace instructions'),
  },
});

const Trust = z
  .strictObject({
    messages: z.array(z.number().int()).max(1_000).default([]).openapi({ description: 'Messages by their `seq`' }),
    calls: z.array(PartId).max(1_000).default([]).openapi({ description: 'Results by their call’s id' }),
  })
  .openapi('Trust');

const trustWords = route('trustWords', 'Runs', {
  needs: 'owner',
  method: 'post',
  path: '/conversations/{id}/trust',
  summary: 'Declares words from outside as trusted, so that calls no longer need an approval because of them',
  request: { params: inConversation, body: body(Trust) },
  responses: { 200: json('The conversation', Conversation) },
});

export function runRoutes(app: App, deployment: Deployment): void {
  const {
    table,
    registry,
    actions,
    counts,
    developers,
    keptClaims,
    modelsOfForks,
    files: store,
    fileLimits,
  } = deployment;

  /** A member's files become the owner's. Whether the member may write is checked with the message. */
  async function giveFilesOf(id: string, by: Caller, parts: readonly SentPart[] = []): Promise<void> {
    if (!parts.some(({ type }) => type === 'file')) return;
    const { owner } = await readMetaFor(table, id, by, 'member');
    await giveFiles({ table, store }, { from: by.user, to: owner }, parts, fileLimits(), new Date());
  }

  app.openapi(send, async (context) => {
    const { id } = context.req.valid('param');
    const { text: words, parts: sent, clientMessageId, to, mentions, ...locale } = context.req.valid('json');
    const { text, parts } = contentIn({ text: words, parts: sent });
    if (text === undefined) throw new BadRequest([{ path: 'text', message: 'use `text` or `parts`' }]);
    const claims = claimsKept(keptClaims, context.get('caller'));
    const by = context.get('caller');
    await giveFilesOf(id, by, parts);
    const said = {
      text,
      parts,
      clientMessageId,
      aside: to === 'people',
      mentions,
      locale,
      claims,
      user: by,
      called: nameOf(by),
      caller: callerIn(context.req),
    };
    const appended = await sendMessage(table, registry.agents, id, said, new Date(), counts());
    logSubject(appended.meta);
    return context.json(Message.parse(appended.message), 202);
  });

  app.openapi(recalled, async (context) => {
    const { id, seq } = context.req.valid('param');
    const meta = await readMetaFor(table, id, context.get('caller'), 'owner');
    context.header('cache-control', 'no-store');
    return context.json(shownRecalled(await readRow(table, id, key.message(seq)), meta), 200);
  });

  app.openapi(takeOver, async (context) => {
    const { id } = context.req.valid('param');
    const { reason, clientMessageId } = context.req.valid('json');
    const by = context.get('caller');
    const said = { text: reason, clientMessageId, user: by, stepsIn: true, called: nameOf(by) };
    const appended = await sendMessage(table, registry.agents, id, said, new Date(), counts());
    logSubject(appended.meta);
    return context.json(Message.parse(appended.message), 202);
  });

  app.openapi(cancel, async (context) => {
    const { id: conversationId } = context.req.valid('param');
    const user = context.get('caller');
    const { runId } = context.req.valid('json');
    // Who has taken it over is in it no more when its run has ended, and sees that it has.
    const { role } = await readRole(table, conversationId, user);
    logSubject(await cancelRun(table, registry.tools, { conversationId, user, runId }, new Date()));
    return context.json(await viewConversation(table, conversationId, user, { as: role }), 202);
  });

  app.openapi(attempts, async (context) => {
    const { id } = context.req.valid('param');
    const { run } = await readMetaFor(table, id, context.get('caller'));
    context.header('cache-control', 'no-store');
    const isAtWork = run && (isActive(run.status) || run.status === 'cancelling');
    const due = dueTimers(await readTimers(table, id), new Date());
    return context.json(await actions.attempts(isAtWork ? run : undefined, due), 200);
  });

  app.openapi(retry, async (context) => {
    const { id } = context.req.valid('param');
    const user = context.get('caller');
    logSubject(await retryRun(table, id, user, new Date(), counts()));
    return context.json(await viewConversation(table, id, user), 202);
  });

  app.openapi(wake, async (context) => {
    const { id: conversationId } = context.req.valid('param');
    const user = context.get('caller');
    const { until } = context.req.valid('json');
    logSubject(await wakeRun(table, { conversationId, user, until }, new Date()));
    return context.json(await viewConversation(table, conversationId, user), 202);
  });

  app.openapi(askModel, async (context) => {
    const { id: conversationId } = context.req.valid('param');
    const user = context.get('caller');
    const { nextAt } = context.req.valid('json');
    logSubject(await retryModel(table, { conversationId, user, nextAt }, new Date()));
    return context.json(await viewConversation(table, conversationId, user), 202);
  });

  app.openapi(fork, async (context) => {
    const { id: from } = context.req.valid('param');
    const { id: chosen, ...rest } = context.req.valid('json');
    if (rest.agent && !registry.agents.has(rest.agent))
      throw new BadRequest([{ path: 'agent', message: `there is no agent "${rest.agent}"` }]);
    checkFork(modelsOfForks, rest, isDeveloper(developers, context.get('caller')));
    const user = context.get('caller');
    const id = newIdFor(user.user, chosen);
    logSubject(
      await forkConversation(
        table,
        { ...rest, claims: claimsKept(keptClaims, context.get('caller')), from, id, user },
        new Date(),
        counts(),
      ),
    );
    return context.json(await viewConversation(table, id, user), 201);
  });

  app.openapi(trustWords, async (context) => {
    const { id: conversationId } = context.req.valid('param');
    const user = context.get('caller');
    await trust(table, { conversationId, user }, context.req.valid('json'));
    return context.json(await viewConversation(table, conversationId, user), 200);
  });
}
