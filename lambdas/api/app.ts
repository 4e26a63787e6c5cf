import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context, Next } from 'hono';
import type { LambdaEvent } from 'hono/aws-lambda';
import { HTTPException } from 'hono/http-exception';
import { routePath } from 'hono/route';
import type { Caller } from '../../core/agent/approvers';
import { NotFound } from '../../core/text/errors';
import { addFields, log } from '../../runtime/log';
import { BadRequest, problemBody, problemOf, problemType } from '../problems';
import { agentRoutes } from './agent-routes';
import { approvalRoutes } from './approvals';
import { callbackRoutes } from './callbacks';
import { conversationRoutes } from './conversations';
import type { Actions, App, Deployment, Environment } from './deployment';
import { deviceRoutes } from './devices';
import { findingRoutes } from './finding';
import { homeRoutes } from './home';
import { liveRoutes } from './live';
import { checkMachine, machineIn, onBehalfOf } from './machines';
import { memoryRoutes } from './memories';
import { notificationRoutes } from './notifications';
import { runRoutes } from './runs';
import { settingsRoutes } from './settings';
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

  app.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: { title: 'Vigil', version: '1', description: 'Agents that wait.' },
  });
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
  });

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
    return context.body(problemBody(problem), problem.status, problemType);
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

/** Wraps the actions: a failure is logged and left to Relay. The request's line says what they are about. */
function leftToTheRelay({ driveRun, driveTimer, resume }: Actions): Actions {
  async function attempt(action: Promise<void>): Promise<void> {
    try {
      await action;
    } catch (error) {
      log.warn('left to the relay', { error: (error as Error).name });
    }
  }
  return {
    driveRun(meta) {
      const { conversationId, run, lastSeq: seq } = meta;
      addFields({ conversationId, runId: run?.id, segment: run?.segment, seq });
      return attempt(driveRun(meta));
    },
    driveTimer: (timer) => attempt(driveTimer(timer)),
    resume: async (conversationId, pending) => {
      addFields({ conversationId, callbackId: pending.id });
      if (pending.taskTokens.length > 0) await attempt(resume(conversationId, pending));
    },
  };
}

/** The gateway has verified the token, but not its use: an ID token is for the page alone, and a client is no user. */
const userIn = ({ sub, token_use, client_id }: Claims, use = 'access'): string | undefined =>
  (use === 'any' || token_use === use) && sub !== client_id ? sub : undefined;

/** API Gateway writes a list as text: `[editors staff]`. */
const groupsIn = (claims: Claims): string[] =>
  (claims['cognito:groups'] ?? '')
    .replace(/^\[|\]$/g, '')
    .split(' ')
    .filter((group) => group !== '');

type Claims = Caller['claims'];

function claimsOf(event: LambdaEvent): Claims {
  const { authorizer } = event.requestContext as { authorizer?: { jwt?: { claims?: Claims } } };
  return authorizer?.jwt?.claims ?? {};
}
