import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { CorsHttpMethod, HttpApi, HttpMethod, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { UserDirectory } from './user-directory';
import type { VigilFunction } from './vigil-function';

export interface HttpApiProps {
  api: VigilFunction;
  users: UserDirectory;
  /** Origins of pages that may call from a browser. */
  origins: string[];
}

/** The door. Everything but the OpenAPI document asks for a signed-in user; the function then checks who owns what. */
export class FrontDoor extends Construct {
  readonly url: string;

  constructor(scope: Construct, id: string, { api, users, origins }: HttpApiProps) {
    super(scope, id);
    const httpApi = new HttpApi(this, 'HttpApi', {
      createDefaultStage: false,
      corsPreflight: {
        allowOrigins: origins,
        allowHeaders: ['authorization', 'content-type'],
        allowMethods: [CorsHttpMethod.GET, CorsHttpMethod.POST, CorsHttpMethod.DELETE],
        maxAge: Duration.hours(1),
      },
    });
    const integration = new HttpLambdaIntegration('Integration', api, { scopePermissionToRoute: false });
    const authorizer = new HttpJwtAuthorizer('SignedIn', users.issuer, { jwtAudience: [users.clientId] });
    for (const path of ['/', '/{proxy+}']) {
      httpApi.addRoutes({ path, methods: [HttpMethod.ANY], integration, authorizer });
    }
    const [document] = httpApi.addRoutes({ path: '/openapi.json', methods: [HttpMethod.GET], integration });
    const stage = new HttpStage(this, 'Stage', {
      httpApi,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: 100, burstLimit: 200 },
      accessLogSettings: {
        destination: new LogGroupLogDestination(
          new LogGroup(this, 'AccessLog', { retention: RetentionDays.ONE_MONTH, removalPolicy: RemovalPolicy.DESTROY }),
        ),
      },
    });
    this.url = stage.url;
    if (document) {
      Validations.of(document).acknowledge({
        id: 'AwsSolutions-APIG4',
        reason: 'The OpenAPI document is public: it describes the API and holds nobody’s data.',
      });
    }
  }
}
