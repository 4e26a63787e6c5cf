import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { sharedBy } from '../shared';

/** A log group that is deleted with the stack. CloudFormation names it, unless the service needs a prefix. */
export function logGroup(scope: Construct, id: string, logGroupName?: string): LogGroup {
  const { logRetention: retention, encryptionKey } = sharedBy(scope);
  return new LogGroup(scope, id, { logGroupName, retention, encryptionKey, removalPolicy: RemovalPolicy.DESTROY });
}

/**
 * A log group that a service writes by a resource policy, as Step Functions and HTTP APIs do. One policy covers all groups with this
 * prefix. Others are named in a policy of at most 5,120 characters, which an account with many of them exceeds.
 */
export const vendedLogGroup = (scope: Construct, id: string, service: 'states' | 'apis', name: string): LogGroup =>
  logGroup(scope, id, `/aws/vendedlogs/${service}/${Stack.of(scope).stackName}-${name}`);
