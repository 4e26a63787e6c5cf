import { Duration, Validations } from 'aws-cdk-lib';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { CfnRule, Rule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IDestination, IEventSourceDlq } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { VigilFunction } from '../functions/vigil-function';
import { sharedBy } from '../shared';
import { addAlarm } from '../watch/alarm';

/**
 * The dead-letter queue for everything that could not be delivered: batches of the table's stream, and status changes
 * that did not reach Settle. One queue suffices, because each message says what it is.
 */
export class Undelivered extends Construct {
  readonly url: string;
  /** The number of its messages. */
  readonly messages: Metric;
  private readonly queue: Queue;
  private readonly encryptionKey?: IKey;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const { encryptionKey } = sharedBy(this);
    this.encryptionKey = encryptionKey;
    this.queue = new Queue(this, 'Queue', {
      encryption: encryptionKey ? QueueEncryption.KMS : QueueEncryption.SQS_MANAGED,
      encryptionMasterKey: encryptionKey,
      enforceSSL: true,
      // The maximum that SQS allows.
      retentionPeriod: Duration.days(14),
    });
    this.url = this.queue.queueUrl;
    const statistic = 'Maximum';
    this.messages = this.queue.metricApproximateNumberOfMessagesVisible({ statistic, period: Duration.minutes(5) });
    addAlarm(this, 'Alarm', {
      title: 'Undelivered',
      description: 'Something could not be delivered: a run, a timer or an event may hang.',
      metric: this.messages,
      from: 1,
    });
    Validations.of(this.queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is the dead-letter queue: only a person reads it.',
    });
  }

  /**
   * Returns the destination for what Lambda could not deliver to a function. Lambda sends it with the function's role.
   */
  of(fn: VigilFunction): IEventSourceDlq & IDestination {
    const { queueArn: destination } = this.queue;
    fn.allow([destination], 'sqs:SendMessage');
    this.encryptionKey?.grantEncryptDecrypt(fn);
    return { bind: () => ({ destination }) };
  }

  /** The destination for what EventBridge could not deliver to Lambda. */
  get ofRules(): CfnRule.DeadLetterConfigProperty {
    return { arn: this.queue.queueArn };
  }

  /** Lets a rule send to the queue. A rule has no role, so the queue's policy allows it. */
  admit(rule: Rule): void {
    this.queue.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('events.amazonaws.com')],
        actions: ['sqs:SendMessage'],
        resources: [this.queue.queueArn],
        conditions: { ArnEquals: { 'aws:SourceArn': rule.ruleArn } },
      }),
    );
  }
}
