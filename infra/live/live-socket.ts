import { Stack, Validations } from 'aws-cdk-lib';
import { type CfnStage, WebSocketApi, WebSocketStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { WebSocketLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Construct } from 'constructs';
import type { VigilFunction } from '../functions/vigil-function';
import { nameInRegion } from '../names';
import { oneAfterTheOther } from '../routes';

const stageName = 'live';

/** Anyone may ask for a connection, so those who ask take no more than half of what all messages may take. */
const connecting = { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 };

/** The WebSocket API of the live view. */
export class LiveSocket extends Construct {
  /** The address that clients connect to. */
  readonly url: string;
  /** The address that frames are posted to. */
  readonly connectionsUrl: string;
  private readonly api: WebSocketApi;

  /** @param fn opens and closes connections, and answers messages. */
  constructor(scope: Construct, id: string, fn: VigilFunction) {
    super(scope, id);
    const integration = new WebSocketLambdaIntegration('Integration', fn);
    this.api = new WebSocketApi(this, 'Api', {
      apiName: nameInRegion(this, 'live', 128),
      routeSelectionExpression: '$request.body.action',
      connectRouteOptions: { integration },
      disconnectRouteOptions: { integration },
      defaultRouteOptions: { integration, returnResponse: true },
    });
    Validations.of(this.api).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason:
        'A browser cannot set headers on a WebSocket: Connections checks a ticket, which a signed-in user gets from the API.',
    });
    const stage = new WebSocketStage(this, 'Stage', {
      webSocketApi: this.api,
      stageName,
      autoDeploy: true,
      throttle: { rateLimit: 100, burstLimit: 200 },
    });
    Validations.of(stage).acknowledge({
      id: 'AwsSolutions-APIG1',
      reason:
        'API Gateway writes such a log with one role for the whole account, which is not this stack’s to set. Connections logs who connects.',
    });
    (stage.node.defaultChild as CfnStage).routeSettings = { $connect: connecting };
    oneAfterTheOther(this.api);
    // API Gateway rejects the settings of a route that does not exist yet.
    stage.node.addDependency(this.api.node.findChild('$connect-Route'));
    this.url = `${this.api.apiEndpoint}/${stageName}`;
    this.connectionsUrl = stage.callbackUrl;
  }

  /** Allows posting to this API's connections or closing them, but not reading them. */
  grant(fn: VigilFunction, ...methods: ('POST' | 'DELETE')[]): void {
    const arn = (method: string) =>
      Stack.of(this).formatArn({
        service: 'execute-api',
        resource: this.api.apiId,
        resourceName: `${stageName}/${method}/@connections/*`,
      });
    fn.allow(methods.map(arn), 'execute-api:ManageConnections');
    for (const method of methods)
      Validations.of(fn.role).acknowledge({
        id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:execute-api:<AWS::Region>:<AWS::AccountId>:<${Stack.of(this).getLogicalId(this.api.node.defaultChild as never)}>/${stageName}/${method}/@connections/*]`,
        reason: 'Every connection of this one API: its subscribers come and go.',
      });
  }
}
