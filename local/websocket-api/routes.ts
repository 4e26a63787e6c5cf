import { functionArnOf } from '../http-api/http-api';
import { findFunction } from '../lambda/function-name';
import type { Resource, Template } from '../template/template';

/**
 * Chooses a route as a WebSocket API does: by the value that its selection expression finds in the message, otherwise
 * `$default`.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/websocket-api-develop-routes.html
 */
export interface Route {
  routeKey: string;
  functionArn: string;
  timeoutMs: number;
  /** Whether the function's response goes back over the connection. */
  responds: boolean;
}

export interface RouteTable {
  find(routeKey: string): Route | undefined;
  /** Returns the route of a message. */
  select(body: string): Route | undefined;
}

const defaultTimeoutMs = 29_000;

export function routesOf(api: Resource, template: Template): RouteTable {
  const path = pathOf(api);
  const ofApi = (type: string) => template.ofType(type).filter(({ properties }) => properties.ApiId === api.ref);
  const integrations = new Map(ofApi('AWS::ApiGatewayV2::Integration').map((one) => [one.ref, one]));
  const responses = new Set(ofApi('AWS::ApiGatewayV2::RouteResponse').map(({ properties }) => properties.RouteId));
  const routes = new Map(
    ofApi('AWS::ApiGatewayV2::Route').map((route) => [String(route.properties.RouteKey), make(route)]),
  );

  return {
    find: (routeKey) => routes.get(routeKey),
    select: (body) => routes.get(keyIn(body, path)) ?? routes.get('$default'),
  };

  function make({ logicalId, ref, properties }: Resource): Route {
    const { AuthorizationType = 'NONE', RouteKey, RouteResponseSelectionExpression, Target } = properties;
    if (AuthorizationType !== 'NONE')
      throw new Error(
        `The local cloud does not support ${AuthorizationType} authorization of WebSockets (${logicalId}).`,
      );
    const integration = integrations.get(String(Target).replace('integrations/', ''));
    if (integration?.properties.IntegrationType !== 'AWS_PROXY')
      throw new Error(`The local cloud supports Lambda integrations only (${logicalId}).`);
    if (RouteResponseSelectionExpression !== undefined && RouteResponseSelectionExpression !== '$default')
      throw new Error(`The local cloud supports the route response $default only (${logicalId}).`);
    const functionArn = functionArnOf(String(integration.properties.IntegrationUri));
    if (!findFunction(template.ofType('AWS::Lambda::Function'), functionArn))
      throw new Error(`The route ${RouteKey} names a function that is not in the template.`);
    return {
      routeKey: String(RouteKey),
      functionArn,
      timeoutMs: Number(integration.properties.TimeoutInMillis ?? defaultTimeoutMs),
      responds: RouteResponseSelectionExpression === '$default' && responses.has(ref),
    };
  }
}

function pathOf({ logicalId, properties }: Resource): string[] {
  const expression = String(properties.RouteSelectionExpression);
  const [, path] = /^\$request\.body\.([\w.]+)$/.exec(expression) ?? [];
  if (path) return path.split('.');
  throw new Error(`The local cloud does not support the route selection expression ${expression} (${logicalId}).`);
}

/** Returns the route key in a message; `$default` if it is not JSON or has no key. */
function keyIn(body: string, path: readonly string[]): string {
  try {
    const found = path.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], JSON.parse(body));
    return typeof found === 'string' && !found.startsWith('$') ? found : '$default';
  } catch {
    return '$default';
  }
}
