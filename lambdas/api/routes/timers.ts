import * as z from 'zod';
import { ConversationSummary, Timer } from '../../../core/base/state/schemas';
import { cancelTimer } from '../../../core/conversations/conversation/cancel-timer';
import { listTimers } from '../../../core/people/views/timers';
import type { App, Deployment } from '../deployment';
import { route } from '../route';
import { Cursor, Id, inConversation, json, PartId, problem } from '../shapes';

export const TimerPage = z
  .object({
    timers: z.array(Timer.extend({ conversationId: Id }).openapi('OwnTimer')),
    /** Those of the timers. */
    conversations: z.array(ConversationSummary),
    cursor: z.string().optional(),
  })
  .openapi('TimerPage');

const list = route('listTimers', 'Timers', {
  method: 'get',
  path: '/timers',
  summary:
    'Your active timers, in all conversations, the next one first. A page may have few or none: go on while there is a cursor',
  request: { query: z.object({ cursor: Cursor }) },
  responses: {
    200: json('A page of timers, with their conversations', TimerPage),
  },
});

const cancel = route('cancelTimer', 'Timers', {
  method: 'delete',
  path: '/conversations/{id}/timers/{timerId}',
  summary: 'Cancels a timer',
  request: { params: inConversation.extend({ timerId: PartId.openapi({ description: 'The id of the timer' }) }) },
  responses: {
    200: json('The timer, which is now cancelled or was already over', Timer),
    404: problem('You have no such conversation, or it has no such timer'),
  },
});

export function timerRoutes(app: App, { table, actions }: Deployment): void {
  app.openapi(list, async (context) => {
    context.header('cache-control', 'no-store');
    const { cursor } = context.req.valid('query');
    return context.json(await listTimers(table, context.get('user'), cursor), 200);
  });

  app.openapi(cancel, async (context) => {
    const { id, timerId } = context.req.valid('param');
    const timer = await cancelTimer(table, id, timerId, { user: context.get('user') });
    await actions.driveTimer(timer);
    return context.json(Timer.parse(timer), 200);
  });
}
