import { createRoute } from '@hono/zod-openapi';
import { cancelTimer } from '../../core/conversation/cancel-timer';
import { Timer } from '../../core/state/schemas';
import type { App, Deployment } from './deployment';
import { inConversation, json, named, PartId, problem, signedIn } from './shapes';

const cancel = createRoute({
  method: 'delete',
  path: '/conversations/{id}/timers/{timerId}',
  summary: 'Cancels a timer',
  security: signedIn,
  request: { params: inConversation.extend({ timerId: PartId }) },
  responses: {
    200: json('The timer, which is now cancelled or was already over', named('Timer', Timer)),
    404: problem('You have no such conversation, or it has no such timer'),
  },
});

export function timerRoutes(app: App, { table, actions }: Deployment): void {
  app.openapi(cancel, async (context) => {
    const { id, timerId } = context.req.valid('param');
    const timer = await cancelTimer(table, id, timerId, { user: context.get('user') });
    await actions.driveTimer(timer);
    return context.json(Timer.parse(timer), 200);
  });
}
