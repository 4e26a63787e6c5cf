import { join } from 'node:path';
import { Duration, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type CfnFunction,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { sharedBy } from '../shared';
import { logGroup } from './log-group';
import { OwnRole } from './own-role';

export interface VigilFunctionProps {
  description: string;
  /** The folder that contains `<id>/index.js`. */
  bundles: string;
  /** Default: 30. */
  timeoutSeconds?: number;
  /** Default: 256. Lambda allocates CPU in proportion. */
  memoryMiB?: number;
  environment: Record<string, string>;
}

/**
 * A Lambda function with the settings that all of Vigil's functions share. Its own role begins with two rights: to
 * write its log and to send traces. AWS's managed policy would let it write every log of the account.
 */
export class VigilFunction extends LambdaFunction {
  /** Always defined, because every function here has its own role. */
  override readonly role: OwnRole;

  constructor(scope: Construct, id: string, props: VigilFunctionProps) {
    const role = new OwnRole(scope, `${id}Role`, 'lambda.amazonaws.com');
    const log = logGroup(scope, `${id}Log`);
    log.grantWrite(role);
    const { vpc, encryptionKey } = sharedBy(scope);
    if (vpc) role.addToPolicy(interfacesInVpc);
    // Lambda decrypts the variables with the function's role.
    encryptionKey?.grantDecrypt(role);
    super(scope, id, {
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(join(props.bundles, id)),
      handler: 'index.handler',
      timeout: Duration.seconds(props.timeoutSeconds ?? 30),
      memorySize: props.memoryMiB ?? 256,
      environment: props.environment,
      role,
      logGroup: log,
      // For Lambda's own lines. A function's are JSON in any case.
      loggingFormat: LoggingFormat.JSON,
      vpc,
      environmentEncryption: encryptionKey,
      tracing: Tracing.ACTIVE,
    });
    this.role = role;
    // The logical id has no hash, because it is also the name of the state, the file and the metric.
    (this.node.defaultChild as CfnFunction).overrideLogicalId(id);
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'The actions for X-Ray, and for the network interfaces in a VPC, do not support resources.',
    });
  }

  allow(resources: string[], ...actions: string[]): void {
    this.role.addToPolicy(new PolicyStatement({ actions, resources }));
  }
}

/** Lambda connects a function to a VPC with the function's role. */
const interfacesInVpc = new PolicyStatement({
  actions: [
    'CreateNetworkInterface',
    'DeleteNetworkInterface',
    'DescribeNetworkInterfaces',
    'DescribeSubnets',
    'AssignPrivateIpAddresses',
    'UnassignPrivateIpAddresses',
  ].map((action) => `ec2:${action}`),
  resources: ['*'],
});
