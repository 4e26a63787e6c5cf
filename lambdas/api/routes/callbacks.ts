import * as z from 'zod';
import { Callback, StandingLimits } from '../../../core/base/state/schemas';
import { NotFound } from '../../../core/base/text/errors';
import { assign } from '../../../core/conversations/approvals/assign';
import { nameOf } from '../../../core/conversations/approvals/person-name';
import { approve } from '../../../core/conversations/conversation/approve';
import { sendMessage } from '../../../core/conversations/conversation/send-message';
import { key } from '../../../core/conversations/rows/keys';
import { readRow } from '../../../core/conversations/store/table';
import { shownCallback } from '../../../core/people/views/shown';
import type { App, Deployment } from '../deployment';
import * as example from '../examples';
import { claimsKept } from '../kept-claims';
import { refusal, route } from '../route';
import { body, inConversation, json, PartId, problem, Text, UserId } from '../shapes';
import { logSubject } from '../subject';

const AnswerCallback = z
  .strictObject({
    answer: Text.optional().openapi({
      description:
        'For a question: the answer, which becomes a message. For a conversation that you have taken over: the note with which you give it back',
    }),
    approved: z.boolean().optional().openapi({ description: 'For an approval: the decision' }),
    arguments: z.record(z.string(), z.unknown()).optional().openapi({
      description: 'With `approved: true`: edited arguments that fit the tool’s schema',
    }),
    shown: z.string().max(100).optional().openapi({
      description:
        'With `approved: true`, from a notification: its `shown`. It is refused unless the notification showed all that is decided',
    }),
    standing: StandingLimits.optional(),
    ends: z.literal(true).optional().openapi({
      description:
        'With the `answer` with which you give a conversation back: the run is done, and the agent says no more',
    }),
    reason: Text.max(2_000)
      .optional()
      .openapi({ description: 'With `approved: false`: the reason, which the model reads' }),
    question: Text.max(2_000).optional().openapi({
      description:
        'With `approved: false`: gives the call back with a question. The agent answers it and makes the call again, which needs a new approval',
    }),
  })
  .refine(({ answer, approved }) => (answer === undefined) !== (approved === undefined), {
    path: ['answer'],
    message: 'give either `answer`, for a question, or `approved`, for an approval',
  })
  .refine(({ answer, ends }) => ends === undefined || answer !== undefined, {
    path: ['ends'],
    message: 'is allowed with `answer` only',
  })
  .refine(({ approved, arguments: edited }) => edited === undefined || approved === true, {
    path: ['arguments'],
    message: 'are allowed with `approved: true` only',
  })
  .refine(({ approved, reason }) => reason === undefined || approved === false, {
    path: ['reason'],
    message: 'is allowed with `approved: false` only',
  })
  .refine(({ approved, shown }) => shown === undefined || approved === true, {
    path: ['shown'],
    message: 'is allowed with `approved: true` only',
  })
  .refine(({ approved, question }) => question === undefined || approved === false, {
    path: ['question'],
    message: 'is allowed with `approved: false` only',
  })
  .refine(({ approved, standing }) => standing === undefined || approved === true, {
    path: ['standing'],
    message: 'is allowed with `approved: true` only',
  })
  .openapi('AnswerCallback', { examples: example.answers });

const answer = route('answerCallback', 'Approvals', {
  needs: 'member',
  method: 'post',
  path: '/conversations/{id}/callbacks/{callbackId}',
  summary:
    'Answers a question, decides about an approval, or gives a conversation back to its agent. The first answer holds',
  request: {
    params: inConversation.extend({ callbackId: PartId.openapi({ description: 'The id of the callback' }) }),
    body: body(AnswerCallback),
  },
  responses: {
    202: json('Answered; the run continues', Callback),
    403: refusal(
      'It is your conversation, but others decide about this, or another has taken it over: `detail` says who',
    ),
    404: problem('You have no such conversation, or it has no such callback'),
    409: problem(
      'The callback already has its outcome, given in `outcome`, or its run is not waiting, for example because it has failed',
    ),
  },
});

const Assign = z
  .strictObject({
    to: UserId.openapi({
      description: 'The user who is asked to decide: one who can, and has opened their approvals in the last 30 days',
    }),
    from: UserId.optional().openapi({
      description: 'For a hand-off to a person: the user who has taken the conversation over, from whom `to` takes it',
    }),
  })
  .openapi('Assign');

const assignee = {
  path: '/conversations/{id}/callbacks/{callbackId}/assignee',
  params: inConversation.extend({ callbackId: PartId.openapi({ description: 'The id of the approval' }) }),
  responses: {
    200: json('The approval', Callback),
    403: refusal('You cannot decide about this now: `detail` says who can'),
    404: problem('You have no such conversation, or it has no such callback'),
    409: problem(
      'The callback already has its outcome, given in `outcome`, or its run is not waiting, or another person has taken the conversation over',
    ),
  },
};

const assignOne = route('assignApproval', 'Approvals', {
  needs: 'approver',
  method: 'put',
  path: assignee.path,
  summary:
    'Asks one of those who can decide about an approval to do it, and notifies them. Others may still decide. Of a hand-off to a person, the claim: `to` has the conversation until they give it back',
  request: { params: assignee.params, body: body(Assign) },
  responses: assignee.responses,
});

const unassign = route('unassignApproval', 'Approvals', {
  needs: 'approver',
  method: 'delete',
  path: assignee.path,
  summary:
    'Asks nobody in particular to decide about an approval any more, or releases a conversation that you have taken over',
  request: { params: assignee.params },
  responses: assignee.responses,
});

export function callbackRoutes(app: App, { table, registry, keptClaims }: Deployment): void {
  const readShown = async (conversationId: string, callbackId: string) => {
    const row = await readRow(table, conversationId, key.callback(callbackId));
    // The conversation may have been deleted meanwhile.
    if (!row) throw new NotFound(`There is no callback ${callbackId} in this conversation.`);
    return shownCallback(row, new Date());
  };

  app.openapi(answer, async (context) => {
    const { id: conversationId, callbackId } = context.req.valid('param');
    const posted = context.req.valid('json');
    const user = context.get('caller');
    if (posted.answer !== undefined) {
      const claims = claimsKept(keptClaims, context.get('caller'));
      const said = { user, text: posted.answer, callbackId, ends: posted.ends, claims, called: nameOf(user) };
      logSubject((await sendMessage(table, registry.agents, conversationId, said, new Date())).meta);
    } else {
      const { approved, arguments: edited, reason, question, shown, standing } = posted;
      const verdict = approved
        ? { approved, arguments: edited, shown, standing }
        : { approved: false as const, reason, question };
      const who = { conversationId, callbackId, ...context.get('caller') };
      logSubject(await approve(table, registry, who, verdict, new Date()));
    }
    return context.json(await readShown(conversationId, callbackId), 202);
  });

  app.openapi(assignOne, async (context) => {
    const { id: conversationId, callbackId } = context.req.valid('param');
    const asked = context.req.valid('json');
    await assign(table, { conversationId, callbackId, ...context.get('caller') }, asked, new Date());
    return context.json(await readShown(conversationId, callbackId), 200);
  });

  app.openapi(unassign, async (context) => {
    const { id: conversationId, callbackId } = context.req.valid('param');
    await assign(table, { conversationId, callbackId, ...context.get('caller') }, {}, new Date());
    return context.json(await readShown(conversationId, callbackId), 200);
  });
}
