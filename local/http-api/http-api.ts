import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from 'vigil-stepfunctions';
import { BodyTooLarge, type Handler, readBody, send, sendJson } from '../app/http-server';
import type { InvokeResult } from '../lambda/answer';
import { findFunction } from '../lambda/function-name';
import type { Lambda } from '../lambda/lambda';
import type { Resource, Template } from '../template/template';
import { type CorsConfiguration, corsHeaders, isPreflight, preflightHeaders } from './cors';
import { requestEvent, sendFunctionResponse } from './event';
import type { Identity } from './identity';
import { type Authorize, jwtAuthorizer } from './jwt-authorizer';
import { routeTable } from './routes';

/** The template's HTTP API, on the app's port. There is at most one. */
export interface HttpApiOptions {
  template: Template;
  lambda: Lambda;
  identity: Identity;
  clock: Clock;
  /**
   * Whether the function's resource policy lets API Gateway invoke it for this route. Without it, AWS responds with a
   * 500.
   */
  mayInvoke: (functionArn: string, sourceArn: string) => boolean;
}

interface Route {
  routeKey: string;
  functionArn: string;
  timeoutMs: number;
  authorize?: Authorize;
  scopes: string[];
}

const bodyLimit = 10_485_760;
const defaultTimeoutMs = 30_000;

export function httpApi(options: HttpApiOptions): Handler | undefined {
  const { template, lambda, clock } = options;
  const apis = template.ofType('AWS::ApiGatewayV2::Api').filter(({ properties }) => properties.ProtocolType === 'HTTP');
  const [api] = apis;
  if (apis.length > 1) throw new Error('The local cloud serves one HTTP API; the template has more.');
  if (!api) return undefined;
  const stage = String(template.ofType('AWS::ApiGatewayV2::Stage').find(belongsTo(api))?.ref ?? '$default');
  const base = stage === '$default' ? '' : `/${stage}`;
  const find = routeTable(routesOf(api, options));
  const cors = api.properties.CorsConfiguration as CorsConfiguration | undefined;
  const { accountId, region } = template.place;

  return async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://local').pathname;
    const extra = cors ? corsHeaders(cors, request.headers.origin) : {};
    const match = path.startsWith(base) ? find(request.method ?? 'GET', path.slice(base.length) || '/') : undefined;
    if (!match && cors && isPreflight(request)) return send(response, 204, '', preflightHeaders(cors, request));
    if (!match) return sendJson(response, 404, { message: 'Not Found' }, extra);
    const { route, parameters } = match;
    const verdict = await route.authorize?.(request.headers.authorization, route.scopes);
    if (verdict && !verdict.allowed) {
      const message = verdict.status === 401 ? 'Unauthorized' : 'Forbidden';
      return sendJson(response, verdict.status, { message }, { ...verdict.headers, ...extra });
    }
    const source = `arn:aws:execute-api:${region}:${accountId}:${api.ref}/${stage}/${request.method}${path}`;
    if (!options.mayInvoke(route.functionArn, source))
      return sendJson(response, 500, { message: 'Internal Server Error' }, extra);
    const body = await bodyOf(request, response, extra);
    if (!body) return;
    const { routeKey } = route;
    const now = clock.now();
    const event = requestEvent(request, body, {
      accountId,
      apiId: api.ref,
      stage,
      routeKey,
      path,
      parameters,
      jwt: verdict,
      now,
    });
    const result = await invoke(lambda, route, JSON.stringify(event), response);
    if (!result) return sendJson(response, 503, { message: 'Service Unavailable' }, extra);
    if (result.functionError) return sendJson(response, 500, { message: 'Internal Server Error' }, extra);
    sendFunctionResponse(response, result.payload, extra);
  };
}

/**
 * Resolves with undefined if the function is throttled or exceeds the integration's timeout.
 *
 * A request whose client has gone, or has got its 503, does not begin any more. On a machine that is behind, the repeats of
 * clients would otherwise pile up, and it would only serve requests that nobody waits for.
 */
async function invoke(
  lambda: Lambda,
  route: Route,
  event: string,
  response: ServerResponse,
): Promise<InvokeResult | undefined> {
  const [late, wanted] = [new AbortController(), new AbortController()];
  const leave = () => wanted.abort();
  response.once('close', leave);
  const tooLate = sleep(route.timeoutMs, undefined, { signal: late.signal }).then(leave, () => undefined);
  const answer = lambda.invoke(route.functionArn, event, undefined, wanted.signal).catch(() => undefined);
  return Promise.race([answer, tooLate.then(() => undefined)]).finally(() => {
    response.off('close', leave);
    late.abort();
  });
}

async function bodyOf(
  request: IncomingMessage,
  response: ServerResponse,
  extra: Record<string, string>,
): Promise<Buffer | undefined> {
  try {
    return await readBody(request, bodyLimit);
  } catch (error) {
    if (!(error instanceof BodyTooLarge)) throw error;
    sendJson(response, 413, { message: 'Request Entity Too Large' }, extra);
    return undefined;
  }
}

function routesOf(api: Resource, { template, identity, clock }: HttpApiOptions): Route[] {
  const integrations = new Map(template.ofType('AWS::ApiGatewayV2::Integration').map((one) => [one.ref, one]));
  const authorizers = template.ofType('AWS::ApiGatewayV2::Authorizer').filter(belongsTo(api));
  const checks = new Map(authorizers.map((one) => [one.ref, jwtAuthorizer(one, identity, clock)]));
  return template
    .ofType('AWS::ApiGatewayV2::Route')
    .filter(belongsTo(api))
    .map(({ logicalId, properties }) => {
      const { AuthorizationType = 'NONE', AuthorizationScopes = [], AuthorizerId, RouteKey, Target } = properties;
      const integration = integrations.get(String(Target).replace('integrations/', ''));
      if (
        integration?.properties.IntegrationType !== 'AWS_PROXY' ||
        integration.properties.PayloadFormatVersion !== '2.0'
      ) {
        throw new Error(`The local cloud supports Lambda integrations in payload format 2.0 only (${logicalId}).`);
      }
      const functionArn = functionArnOf(String(integration.properties.IntegrationUri));
      if (!findFunction(template.ofType('AWS::Lambda::Function'), functionArn))
        throw new Error(`The route ${RouteKey} names a function that is not in the template.`);
      const authorize = checks.get(String(AuthorizerId));
      if (AuthorizationType !== 'NONE' && !(AuthorizationType === 'JWT' && authorize)) {
        throw new Error(`The local cloud does not support ${AuthorizationType} authorization (${logicalId}).`);
      }
      const timeoutMs = Number(integration.properties.TimeoutInMillis ?? defaultTimeoutMs);
      return { routeKey: String(RouteKey), functionArn, timeoutMs, authorize, scopes: AuthorizationScopes as string[] };
    });
}

/** The CDK gives the function's ARN, or the invoke path around it. */
export function functionArnOf(uri: string): string {
  return /functions\/(arn:[^/]+)\/invocations$/.exec(uri)?.[1] ?? uri;
}

function belongsTo(api: Resource): (one: Resource) => boolean {
  return ({ properties }) => properties.ApiId === api.ref;
}
