import { Duration, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  type CfnStage,
  CorsHttpMethod,
  type CorsPreflightOptions,
  DomainName,
  HttpApi,
  HttpMethod,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnEventInvokeConfig, CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { vendedLogGroup } from '../functions/log-group';
import type { VigilFunction } from '../functions/vigil-function';
import { nameInRegion } from '../names';
import { oneAfterTheOther } from '../routes';
import type { Domain } from './domain';
import type { Users } from './users';

export interface FrontDoorProps {
  /** Origins of pages that may call the API from a browser. The hosted page needs none: it calls its own origin. */
  origins: string[];
  /** Headers that these pages may send besides the API's own. */
  headers?: readonly string[];
  /** A name of the app's own, with its certificate. */
  domain?: Domain;
}

/**
 * Listed one by one, because ANY would include a browser's preflight requests, which carry no token and would all be
 * rejected. The API uses three of them and answers the others itself.
 */
const methods = [HttpMethod.GET, HttpMethod.POST, HttpMethod.DELETE, HttpMethod.PUT, HttpMethod.PATCH];

const callableFrom = (allowOrigins: string[], headers: readonly string[]): CorsPreflightOptions => ({
  allowOrigins,
  allowHeaders: ['authorization', 'content-type', 'last-event-id', ...headers],
  allowMethods: [
    CorsHttpMethod.GET,
    CorsHttpMethod.POST,
    CorsHttpMethod.PUT,
    CorsHttpMethod.PATCH,
    CorsHttpMethod.DELETE,
  ],
  // When to repeat a request, and the server's time.
  exposeHeaders: ['retry-after', 'date'],
  maxAge: Duration.hours(1),
});

/**
 * The part of the API's capacity that one person or program may use up, for all users together: requests in a second, and at
 * once. Routes that start work, and those that need no token, have less than the others. A user's own limits are
 * checked behind them.
 */
const throttled = {
  'POST /conversations': { rate: 20, burst: 40 },
  'POST /conversations/{id}/fork': { rate: 5, burst: 10 },
  'POST /conversations/{id}/messages': { rate: 50, burst: 100 },
  'POST /live/tickets': { rate: 20, burst: 40 },
  'GET /openapi.json': { rate: 10, burst: 20 },
  'POST /webhooks/{token}': { rate: 50, burst: 100 },
  'POST /webhooks/models/{provider}': { rate: 50, burst: 100 },
};

/** What part of the API's capacity a route may use up: requests in a second, and at once. */
export interface Throttle {
  rate: number;
  burst: number;
}

/** A route of another function than Api, with the limit of each method that has one. */
export interface OtherRoute {
  path: string;
  methods: Partial<Record<'GET' | 'POST' | 'DELETE', Throttle | undefined>>;
  /** Why it needs no token. Without it, it needs one. */
  isOpen?: string;
}

/** The function of such routes, and whose tokens open them. */
export interface OtherRoutes {
  /** Of the integration and the authorizer. */
  id: string;
  fn: VigilFunction;
  /** As in `Users`. */
  tokens: Pick<Users, 'issuer' | 'audience' | 'scopes'>;
  routes: readonly OtherRoute[];
}

/**
 * Logs the route and not the path, because the path of a webhook contains its token. Logs the user as well as the
 * address, because requests through the page come from an edge location of CloudFront.
 */
const accessLog = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  route: '$context.routeKey',
  user: '$context.authorizer.claims.sub',
  ip: '$context.identity.sourceIp',
  status: '$context.status',
  error: '$context.error.message',
  authorizerError: '$context.authorizer.error',
  integrationError: '$context.integrationErrorMessage',
  latencyMs: '$context.responseLatency',
};

/**
 * The API gateway. Every route except the OpenAPI document and the webhooks needs a signed-in user's access
 * token with a scope of the API; the function then checks ownership. The gateway is created before its routes, because tools give its address to outside systems.
 */
export class FrontDoor extends Construct {
  /** The address for clients and outside systems. */
  readonly url: string;
  /** The address that works without a DNS record. */
  readonly endpoint: string;
  /** The target of the DNS record of an own domain. */
  readonly target?: string;
  private readonly httpApi: HttpApi;
  private readonly stage: HttpStage;
  private readonly limits: Record<string, Throttle> = { ...throttled };

  constructor(scope: Construct, id: string, { origins, headers = [], domain }: FrontDoorProps) {
    super(scope, id);
    this.httpApi = new HttpApi(this, 'HttpApi', {
      apiName: nameInRegion(this, 'api', 128),
      createDefaultStage: false,
      ...(origins.length > 0 && { corsPreflight: callableFrom(origins, headers) }),
    });
    const own = domain && new DomainName(this, 'Domain', { domainName: domain.name, certificate: domain.certificate });
    this.target = own?.regionalDomainName;
    this.endpoint = this.httpApi.apiEndpoint;
    this.url = domain ? `https://${domain.name}` : this.endpoint;
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: this.httpApi,
      stageName: '$default',
      autoDeploy: true,
      ...(own && { domainMapping: { domainName: own } }),
      throttle: { rateLimit: 100, burstLimit: 200 },
      accessLogSettings: {
        destination: new LogGroupLogDestination(vendedLogGroup(this, 'AccessLog', 'apis', 'api')),
        format: AccessLogFormat.custom(JSON.stringify(accessLog)),
      },
    });
  }

  get serverErrors(): Metric {
    return this.httpApi.metricServerError();
  }

  get latency(): Metric {
    return this.httpApi.metricLatency();
  }

  leadTo(api: VigilFunction, users: Users): void {
    const { httpApi } = this;
    const integration = new HttpLambdaIntegration('Integration', api, { scopePermissionToRoute: false });
    const authorizer = new HttpJwtAuthorizer('SignedIn', users.issuer, { jwtAudience: users.audience });
    const signedIn = { integration, authorizer, authorizationScopes: users.scopes };
    httpApi.addRoutes({ path: '/', methods: [HttpMethod.GET], ...signedIn });
    httpApi.addRoutes({ path: '/{proxy+}', methods, ...signedIn });
    const open = (path: string, method: HttpMethod, reason: string) => this.open(path, [method], integration, reason);
    open(
      '/openapi.json',
      HttpMethod.GET,
      'The OpenAPI document is public: it describes the API and contains no user data.',
    );
    open('/webhooks/{token}', HttpMethod.POST, 'An outside system authenticates with the signed token in the address.');
    open('/webhooks/models/{provider}', HttpMethod.POST, 'A model’s provider signs its webhooks with a shared secret.');
    for (const path of Object.keys(throttled).flatMap((key) => /^POST (\/(?!webhooks).*)/.exec(key)?.[1] ?? []))
      httpApi.addRoutes({ path, methods: [HttpMethod.POST], ...signedIn });
  }

  /** Adds the routes of another function. */
  add({ id, fn, tokens, routes }: OtherRoutes): void {
    const integration = new HttpLambdaIntegration(`${id}Integration`, fn, { scopePermissionToRoute: false });
    const authorizer = new HttpJwtAuthorizer(`SignedInTo${id}`, tokens.issuer, { jwtAudience: tokens.audience });
    for (const { path, methods: limits, isOpen } of routes) {
      const methods = Object.keys(limits) as HttpMethod[];
      if (isOpen) this.open(path, methods, integration, isOpen);
      else this.httpApi.addRoutes({ path, methods, integration, authorizer, authorizationScopes: tokens.scopes });
      for (const [method, limit] of Object.entries(limits)) if (limit) this.limits[`${method} ${path}`] = limit;
    }
  }

  /** Sets the limits, when all routes are there. */
  complete(): void {
    const stage = this.stage.node.defaultChild as CfnStage;
    stage.routeSettings = Object.fromEntries(
      Object.entries(this.limits).map(([route, { rate, burst }]) => [
        route,
        { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst },
      ]),
    );
    // API Gateway rejects the settings of a route that does not exist yet.
    for (const route of oneAfterTheOther(this.httpApi)) stage.addResourceDependency(route);
  }

  /**
   * Has what Lambda creates only for a function that already has its rights wait for all routes: IAM knows a right some seconds
   * after it was given, and the routes, one after the other, take longer.
   */
  precede(scope: Construct): void {
    const last = this.stage.node.defaultChild as CfnStage;
    for (const one of scope.node.findAll())
      if (one instanceof CfnEventSourceMapping || one instanceof CfnEventInvokeConfig) one.addResourceDependency(last);
  }

  private open(path: string, methods: HttpMethod[], integration: HttpLambdaIntegration, reason: string): void {
    for (const route of this.httpApi.addRoutes({ path, methods, integration }))
      Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason });
  }
}
