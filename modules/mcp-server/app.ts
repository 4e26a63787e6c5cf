import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { type Context, Hono } from 'hono';
import type { LambdaEvent } from 'hono/aws-lambda';
import { readClientJson } from '../../core/base/json/foreign-json';
import { type TraceContext, traceContextIn } from '../../core/base/state/trace';
import { claimsOf, userIn } from '../../lambdas/api/caller';
import { claimsKept } from '../../lambdas/api/kept-claims';
import { machineIn } from '../../lambdas/api/machines';
import { callerIn } from '../../lambdas/api/trace-headers';
import { problemOf } from '../../lambdas/problems';
import { log } from '../../runtime/log';
import { type Discovery, discovery } from './discovery';
import { bodyBytes } from './files';
import { mcpServer, type Serving } from './server';

export interface McpDeployment extends Serving {
  discovery: Discovery;
  keptClaims: readonly string[];
  /** As in the API. */
  tokenUse?: string;
  /** Origins of pages that may ask from a browser. */
  webOrigins: readonly string[];
}

interface Environment {
  Bindings: { event: LambdaEvent };
}

/**
 * The agents as an MCP server over streamable HTTP. It is stateless: each POST is answered with JSON by a server of its own, so any
 * instance of the function serves any request. API Gateway passes no streams on, so there is nothing to GET.
 */
export function mcpApp(deployment: McpDeployment): Hono<Environment> {
  const app = new Hono<Environment>();
  app.use((context, next) => {
    context.header('x-content-type-options', 'nosniff');
    return next();
  });
  app.route('/', discovery(deployment.discovery));

  app.post('/mcp', async (context) => {
    const began = Date.now();
    const claims = claimsOf(context.env.event);
    const user = machineIn(claims) === undefined ? userIn(claims, deployment.tokenUse) : undefined;
    if (!user) return refused(context, 401, -32_000, 'Sign in: this is not an access token of a user.');
    const origin = context.req.header('origin');
    if (origin && !deployment.webOrigins.includes(origin))
      return refused(context, 403, -32_000, 'This origin may not ask: the operator adds it to webOrigins.');
    const text = await context.req.text();
    if (Buffer.byteLength(text) > bodyBytes)
      return refused(context, 413, -32_600, `The body must have at most ${bodyBytes} bytes.`);
    const body = readClientJson(text, 'body');
    // The protocol has no batches any more, and one would start many runs as one request.
    if (Array.isArray(body)) return refused(context, 400, -32_600, 'Send one message at a time.');

    const kept = claimsKept(deployment.keptClaims, { claims });
    const person = { user, claims: kept, caller: callerOf(body) ?? callerIn(context.req) };
    const server = () => mcpServer(deployment, person);
    const isOld = await isLegacyRequest(context.req.raw, body);
    const answer = await (isOld ? serveOld(server(), context.req.raw, body) : serveNew(server, context.req.raw, body));
    const { status } = answer;
    log.info('mcp request', {
      ...namesIn(body, deployment),
      revision: isOld ? 'old' : newRevision,
      status,
      ms: Date.now() - began,
    });
    return answer;
  });

  app.all('/mcp', (context) => {
    context.header('allow', 'POST');
    return refused(context, 405, -32_000, 'POST messages. This server sends nothing by itself and keeps no sessions.');
  });
  app.notFound((context) => refused(context, 404, -32_000, 'There is nothing here: the address is /mcp.'));
  app.onError((error, context) => {
    const { status, detail } = problemOf(error);
    if (error.name === 'InvalidInput') return refused(context, status, -32_700, `The body cannot be read. ${detail}`);
    return refused(context, status, -32_603, detail);
  });
  return app;
}

const newRevision = '2026-07-28';

/** Serves a request of 2026-07-28, which says everything that the server has to know. */
async function serveNew(server: () => Server, request: Request, body: unknown): Promise<Response> {
  const { method, id = null } = (body ?? {}) as { method?: unknown; id?: unknown };
  // API Gateway would hold the stream until it ends, and the server has nothing to tell.
  if (method === 'subscriptions/listen') {
    const error = { code: -32_601, message: 'This server sends nothing by itself: ask again instead.' };
    return Response.json({ jsonrpc: '2.0', id, error }, { status: 404 });
  }
  return createMcpHandler(server, { legacy: 'reject' }).fetch(takingBoth(request), { parsedBody: body });
}

/** Clients that take JSON get it, though the protocol asks them to take a stream as well: this server sends none. */
function takingBoth(request: Request): Request {
  if (!/application\/(?:json|\*)|\*\/\*/i.test(request.headers.get('accept') ?? '*/*')) return request;
  const headers = new Headers(request.headers);
  headers.set('accept', 'application/json, text/event-stream');
  return new Request(request.url, { method: request.method, headers });
}

/** Serves a request of 2025-11-25 or an older revision, without the session that they allow. */
async function serveOld(server: Server, request: Request, parsedBody: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  await server.connect(transport);
  const answer = await transport.handleRequest(takingBoth(request), { parsedBody });
  await server.close();
  return answer;
}

const refused = (context: Context, status: number, code: number, message: string): Response =>
  context.json({ jsonrpc: '2.0', error: { code, message }, id: null }, status as 400);

const methods = [
  'initialize',
  'server/discover',
  'ping',
  'tools/list',
  'tools/call',
  'tasks/get',
  'tasks/update',
  'tasks/result',
  'tasks/cancel',
  'resources/list',
  'resources/templates/list',
  'resources/read',
];

/** Returns the trace context of a message: clients pass it in `_meta`. */
function callerOf(body: unknown): TraceContext | undefined {
  const { traceparent, tracestate } = Object(Object(Object(body).params)._meta) as Record<string, unknown>;
  return traceContextIn(traceparent, tracestate);
}

/** Names that the protocol or the deployment has given. Anything else could be a person's words. */
function namesIn(body: unknown, { registry }: Serving): { method: string; agent?: string } {
  const { method, params } = (body ?? {}) as { method?: string; params?: { name?: string } };
  const agent = params?.name;
  return {
    method: methods.find((one) => one === method) ?? 'other',
    ...(typeof agent === 'string' && registry.agents.has(agent) && { agent }),
  };
}
