import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { CfnAccount } from 'aws-cdk-lib/aws-apigateway';
import { type CfnStage, LogGroupLogDestination, WebSocketApi, WebSocketStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { WebSocketLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { logGroup } from '../functions/log-group';
import type { VigilFunction } from '../functions/vigil-function';
import { nameInRegion } from '../names';
import { oneAfterTheOther } from '../page/front-door';

export interface LiveSocketProps {
  connect: VigilFunction;
  disconnect: VigilFunction;
  /** Receives every message. Its answer goes back over the connection. */
  message: VigilFunction;
  /** See `VigilProps`. */
  apiGatewayLogRole: boolean;
}

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

  constructor(scope: Construct, id: string, props: LiveSocketProps) {
    super(scope, id);
    const { connect, disconnect, message, apiGatewayLogRole } = props;
    const integration = (fn: VigilFunction) => new WebSocketLambdaIntegration('Integration', fn);
    this.api = new WebSocketApi(this, 'Api', {
      apiName: nameInRegion(this, 'live', 128),
      routeSelectionExpression: '$request.body.action',
      connectRouteOptions: { integration: integration(connect) },
      disconnectRouteOptions: { integration: integration(disconnect) },
      defaultRouteOptions: { integration: integration(message), returnResponse: true },
    });
    Validations.of(this.api).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason:
        'A browser cannot set headers on a WebSocket: Connect checks a ticket, which a signed-in user gets from the API.',
    });
    const stage = new WebSocketStage(this, 'Stage', {
      webSocketApi: this.api,
      stageName,
      autoDeploy: true,
      throttle: { rateLimit: 100, burstLimit: 200 },
      // CDK's default format omits the query, and so the ticket.
      accessLogSettings: {
        destination: new LogGroupLogDestination(logGroup(this, 'AccessLog')),
      },
    });
    (stage.node.defaultChild as CfnStage).routeSettings = { $connect: connecting };
    oneAfterTheOther(this.api);
    // API Gateway rejects the settings of a route that does not exist yet.
    stage.node.addDependency(this.api.node.findChild('$connect-Route'));
    if (apiGatewayLogRole) stage.node.addDependency(this.accountMayLog());
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

  /**
   * API Gateway writes WebSocket logs with one role for the whole account, and rejects a logging stage while the
   * account has no such role. The role is kept when the stack is deleted or its creation is rolled back, because other
   * APIs then log with it.
   */
  private accountMayLog(): CfnAccount {
    const role = new Role(this, 'LogRole', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('service-role/AmazonAPIGatewayPushToCloudWatchLogs')],
    });
    role.applyRemovalPolicy(RemovalPolicy.RETAIN);
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      reason: 'It is the policy that AWS documents for this role, which serves all APIs of the account.',
    });
    const account = new CfnAccount(this, 'Account', { cloudWatchRoleArn: role.roleArn });
    account.applyRemovalPolicy(RemovalPolicy.RETAIN);
    return account;
  }
}
