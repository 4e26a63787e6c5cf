import type { IVpc } from 'aws-cdk-lib/aws-ec2';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Protection } from './protection';

/** The properties that all resources of one `Vigil` share (see `VigilProps`). */
export interface Shared {
  vpc?: IVpc;
  encryptionKey?: IKey;
  /** Is notified by all alarms. */
  alarmTopic?: ITopic;
  logRetention: RetentionDays;
  deletionProtection: Protection;
  /** Existing secrets, by the variable that has the key on a laptop. */
  secrets: Record<string, ISecret>;
}

const context = 'vigil:shared';
const defaults: Shared = { logRetention: RetentionDays.ONE_MONTH, deletionProtection: false, secrets: {} };

/** Sets what all resources below `scope` share. It is called before any of them exists. */
export const share = (scope: Construct, shared: Shared): void => scope.node.setContext(context, shared);

export const sharedBy = (scope: Construct): Shared => scope.node.tryGetContext(context) ?? defaults;
