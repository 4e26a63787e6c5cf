import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { sharedBy } from '../shared';

/** A log group that is deleted with the stack. CloudFormation names it, unless the service needs a prefix. */
export function logGroup(scope: Construct, id: string, logGroupName?: string): LogGroup {
  const { logRetention: retention, encryptionKey } = sharedBy(scope);
  return new LogGroup(scope, id, { logGroupName, retention, encryptionKey, removalPolicy: RemovalPolicy.DESTROY });
}
