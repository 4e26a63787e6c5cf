import { join } from 'node:path';
import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type CfnFunction,
  Code,
  Function as LambdaFunction,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

export interface VigilFunctionProps {
  description: string;
  /** The folder that holds `<id>/index.js`. */
  bundles: string;
  /** 30 unless given. */
  timeoutSeconds?: number;
  /** 256 unless given; Lambda gives processor time in proportion. */
  memoryMiB?: number;
  environment: Record<string, string>;
}

/**
 * A Lambda function with what all of ours share. Its role is its own and starts with two rights: to write its log and to
 * send traces. AWS's managed policy would let it write every log of the account.
 */
export class VigilFunction extends LambdaFunction {
  /** Never undefined: every function here has a role of its own. */
  override readonly role: Role;

  constructor(scope: Construct, id: string, props: VigilFunctionProps) {
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    const logGroup = new LogGroup(scope, `${id}Log`, {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    logGroup.grantWrite(role);
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
      logGroup,
      tracing: Tracing.ACTIVE,
    });
    this.role = role;
    // The id is the name of the state, of the file and of the metric as well, so it is the logical id without a hash.
    (this.node.defaultChild as CfnFunction).overrideLogicalId(id);
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'xray:PutTraceSegments and xray:PutTelemetryRecords know no resources.',
    });
  }

  allow(resources: string[], ...actions: string[]): void {
    this.role.addToPolicy(new PolicyStatement({ actions, resources }));
  }
}
