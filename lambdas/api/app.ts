import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context, Next } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { routePath } from 'hono/route';
import { NotFound } from '../../core/text/errors';
import { addFields, log } from '../../runtime/log';
import { BadRequest, problemBody, problemOf, problemType, retryAfter } from '../problems';
import { agentRoutes } from './agent-routes';
import { approvalRoutes } from './approvals';
import { callbackRoutes } from './callbacks';
import { claimsOf, groupsIn, userIn } from './caller';
import { conversationRoutes } from './conversations';
import type { App, Deployment, Environment } from './deployment';
import { deviceRoutes } from './devices';
import { documentRoute } from './document';
import { findingRoutes } from './finding';
import { homeRoutes } from './home';
import { leftToTheRelay } from './left-to-the-relay';
import { liveRoutes } from './live';
import { checkMachine, machineIn, onBehalfOf } from './machines';
import { memoryRoutes } from './memories';
import { notificationRoutes } from './notifications';
import { runRoutes } from './runs';
import { settingsRoutes } from './settings';
import { streamRoutes } from './streams';
import { timerRoutes } from './timers';
import { usageRoutes } from './usage';
import { webhookRoutes } from './webhooks';

export function api(deployment: Deployment) {
  const app: App = new OpenAPIHono<Environment>({
    defaultHook: (result) => {
      if (!result.success)
        throw new BadRequest(result.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })));
    },
  });

  // A browser shows an answer as the type that it has, never as a page that it looks like.
  app.use((context, next) => {
    context.header('x-content-type-options', 'nosniff');
    return next();
  });
  app.use(logRequest);

  documentRoute(app);

  for (const path of signedInPaths)
    app.use(path, async (context, next) => {
      const claims = claimsOf(context.env.event);
      const machine = machineIn(claims);
      const asked = { method: context.req.method, path: context.req.path, user: context.req.header(onBehalfOf) };
      const user = machine ? await checkMachine(deployment, machine, asked) : userIn(claims, deployment.tokenUse);
      const until = Number(claims.exp);
      if (!user || !Number.isFinite(until))
        throw new HTTPException(401, { message: 'Sign in: this is not an access token of a user.' });
      context.set('user', user);
      context.set('until', until);
      context.set('machine', machine);
      // What a machine's token says is not said of the user.
      context.set('caller', machine ? { user, groups: [], claims: {} } : { user, groups: groupsIn(claims), claims });
      if (machine) log.info('on behalf of a user', { client: machine, method: asked.method });
      await next();
    });

  const lenient = { ...deployment, actions: leftToTheRelay(deployment.actions) };
  for (const routes of [
    agentRoutes,
    conversationRoutes,
    streamRoutes,
    findingRoutes,
    runRoutes,
    callbackRoutes,
    approvalRoutes,
    homeRoutes,
    timerRoutes,
    webhookRoutes,
    liveRoutes,
    memoryRoutes,
    usageRoutes,
    settingsRoutes,
    deviceRoutes,
    notificationRoutes,
  ])
    routes(app, lenient);

  app.notFound(({ req }) => {
    throw new NotFound(`There is no ${req.method} ${req.path}.`);
  });
  app.onError((error, context) => {
    const problem = problemOf(error);
    return context.body(problemBody(problem), problem.status, { ...problemType, ...retryAfter(problem) });
  });
  return app;
}

const signedInPaths = [
  ...['/agents/*', '/approvals', '/conversations/*', '/devices/*', '/home', '/live/*', '/memories/*', '/notifications'],
  ...['/search', '/settings', '/timers', '/usage'],
];

/** Logs the route, never the path: that of a webhook is its key. What a request is about is known when it has been served. */
async function logRequest(context: Context<Environment>, next: Next): Promise<void> {
  const began = Date.now();
  await next();
  const { method, path } = context.req;
  const [, conversationId] = /^\/conversations\/([\w-]{1,120})(?:\/|$)/.exec(path) ?? [];
  if (conversationId) addFields({ conversationId });
  const { requestId: gatewayRequestId } = (context.env?.event?.requestContext ?? {}) as { requestId?: string };
  const fields = { method, route: routePath(context, -1), status: context.res.status, ms: Date.now() - began };
  log.info('request', { ...fields, gatewayRequestId });
}
