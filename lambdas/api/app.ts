import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context, Next } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { routePath } from 'hono/route';
import { NotFound } from '../../core/base/text/errors';
import { deploymentUser } from '../../core/conversations/agent/agent';
import { addFields, log } from '../../runtime/log';
import { BadRequest, problemBody, problemOf, problemType, retryAfter } from '../problems';
import { claimsOf, groupsIn, userIn } from './caller';
import type { App, Deployment, Environment } from './deployment';
import { isDeveloper } from './developers';
import { documentRoute } from './document';
import { checkIncoming } from './incoming';
import { checkMachine, machineIn, onBehalfOf } from './machines';
import { absenceRoutes } from './routes/absence';
import { agentRoutes } from './routes/agents';
import { approvalRoutes } from './routes/approvals';
import { authorityRoutes } from './routes/authority';
import { callbackRoutes } from './routes/callbacks';
import { conversationRoutes } from './routes/conversations';
import { fileRoutes } from './routes/files';
import { findingRoutes } from './routes/finding';
import { homeRoutes } from './routes/home';
import { liveRoutes } from './routes/live';
import { memberRoutes } from './routes/members';
import { memoryRoutes } from './routes/memories';
import { modelWebhookRoutes } from './routes/model-webhooks';
import { runRoutes } from './routes/runs';
import { settingsRoutes } from './routes/settings';
import { standingRoutes } from './routes/standing';
import { streamRoutes } from './routes/streams';
import { timerRoutes } from './routes/timers';
import { usageRoutes } from './routes/usage';
import { webhookRoutes } from './routes/webhooks';

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
  app.use(checkIncoming);
  app.use(async (_, next) => {
    await next();
    await deployment.actions.carryOut();
  });

  const { modules } = deployment;
  documentRoute(app, modules);

  for (const path of [...signedInPaths, ...modules.flatMap(({ paths }) => paths)])
    app.use(path, async (context, next) => {
      const claims = claimsOf(context.env.event);
      const machine = machineIn(claims);
      const asked = { method: context.req.method, path: context.req.path, user: context.req.header(onBehalfOf) };
      const user = machine ? await checkMachine(deployment, machine, asked) : userIn(claims, deployment.tokenUse);
      const until = Number(claims.exp);
      if (!user || !Number.isFinite(until))
        throw new HTTPException(401, { message: 'Sign in: this is not an access token of a user.' });
      // A person who chooses their own `sub` at the issuer must not read what the deployment's schedules do.
      if (user === deploymentUser && !machine && !isDeveloper(deployment.developers, { groups: groupsIn(claims) }))
        throw new HTTPException(403, { message: `The user "${deploymentUser}" is the deployment: developers only.` });
      context.set('user', user);
      context.set('until', until);
      context.set('machine', machine);
      // What a machine's token says is not said of the user.
      context.set('caller', machine ? { user, groups: [], claims: {} } : { user, groups: groupsIn(claims), claims });
      if (machine) log.info('on behalf of a user', { client: machine, method: asked.method });
      await next();
    });

  for (const routes of [
    agentRoutes,
    conversationRoutes,
    streamRoutes,
    findingRoutes,
    fileRoutes,
    runRoutes,
    memberRoutes,
    callbackRoutes,
    approvalRoutes,
    homeRoutes,
    timerRoutes,
    webhookRoutes,
    modelWebhookRoutes,
    liveRoutes,
    memoryRoutes,
    standingRoutes,
    absenceRoutes,
    authorityRoutes,
    usageRoutes,
    settingsRoutes,
    ...modules.map((module) => module.routes),
  ])
    routes(app, deployment);

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
  '/absence',
  '/agents/*',
  '/approvals',
  '/authority',
  '/standing-approvals/*',
  '/conversations/*',
  '/files/*',
  '/home',
  '/ignored',
  '/invitations',
  '/live/*',
  '/memories/*',
  '/search',
  '/settings',
  '/timers/*',
  '/usage',
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
