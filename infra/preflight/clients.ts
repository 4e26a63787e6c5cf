import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudFrontClient } from '@aws-sdk/client-cloudfront';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SSMClient } from '@aws-sdk/client-ssm';
import { STSClient } from '@aws-sdk/client-sts';
import type { ClientConfig } from './finding';

export type Clients = ReturnType<typeof clientsOf>;

export const clientsOf = (of: ClientConfig) => ({
  sts: new STSClient(of),
  ssm: new SSMClient(of),
  lambda: new LambdaClient(of),
  secretsManager: new SecretsManagerClient(of),
  cloudFormation: new CloudFormationClient(of),
  events: new EventBridgeClient(of),
  logs: new CloudWatchLogsClient(of),
  cloudFront: new CloudFrontClient(of),
  cognito: new CognitoIdentityProviderClient(of),
});
