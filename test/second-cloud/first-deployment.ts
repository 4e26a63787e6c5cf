import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchLogsClient, DescribeLogGroupsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { CognitoIdentityProviderClient, ListUserPoolsCommand } from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, ListEventBusesCommand } from '@aws-sdk/client-eventbridge';
import { LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { ListSecretsCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Template } from '../support/template-rights';

interface Access {
  endpoint: string;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
}

/** Has the creation of the stack fail once a resource is there: by a wait without an end. */
export function failAfter({ Resources }: Template, logicalId: string): void {
  Resources.Handle = { Type: 'AWS::CloudFormation::WaitConditionHandle', Properties: {} };
  const wait = { Handle: { Ref: 'Handle' }, Timeout: '1', Count: 1 };
  Resources.Fault = { Type: 'AWS::CloudFormation::WaitCondition', Properties: wait, DependsOn: [logicalId] };
}

/**
 * Returns the resources after which a first deployment fails: one that is protected later and one that comes late, or, if all are
 * asked for, one of each type.
 */
export function faultsOf({ Resources }: Template, areAll: boolean): string[] {
  const types = new Map(Object.entries(Resources).map(([id, { Type }]) => [Type, id]));
  const late = types.get('AWS::Lambda::EventSourceMapping')!;
  return areAll ? [...types.values()] : ['UsersPoolBFC35D3B', late];
}

/** Returns the stack's status, and what is left in the cloud apart from what `cdk bootstrap` has made. */
export async function leftBehind(access: Access): Promise<{ status: string; left: string[] }> {
  const client = {
    cloudFormation: new CloudFormationClient(access),
    logs: new CloudWatchLogsClient(access),
    cognito: new CognitoIdentityProviderClient(access),
    table: new DynamoDBClient(access),
    events: new EventBridgeClient(access),
    lambda: new LambdaClient(access),
    s3: new S3Client({ ...access, forcePathStyle: true }),
    secrets: new SecretsManagerClient(access),
  };
  try {
    const { Stacks } = await client.cloudFormation.send(new DescribeStacksCommand({ StackName: 'Vigil' }));
    const { TableNames = [] } = await client.table.send(new ListTablesCommand({}));
    const { UserPools = [] } = await client.cognito.send(new ListUserPoolsCommand({ MaxResults: 60 }));
    const { Buckets = [] } = await client.s3.send(new ListBucketsCommand({}));
    const { Functions = [] } = await client.lambda.send(new ListFunctionsCommand({}));
    const { SecretList = [] } = await client.secrets.send(new ListSecretsCommand({}));
    const { logGroups = [] } = await client.logs.send(new DescribeLogGroupsCommand({}));
    const { EventBuses = [] } = await client.events.send(new ListEventBusesCommand({}));
    const left = [
      ...TableNames,
      ...UserPools.map(({ Name }) => Name),
      ...Buckets.map(({ Name }) => Name).filter((name) => !name?.startsWith('cdk-')),
      ...Functions.map(({ FunctionName }) => FunctionName),
      ...SecretList.map(({ Name }) => Name),
      ...logGroups.map(({ logGroupName }) => logGroupName),
      ...EventBuses.map(({ Name }) => Name).filter((name) => name !== 'default'),
    ];
    return { status: Stacks![0]!.StackStatus!, left: left.map(String) };
  } finally {
    for (const one of Object.values(client)) one.destroy();
  }
}
