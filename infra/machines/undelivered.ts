import { Duration, Validations } from 'aws-cdk-lib';
import type { CfnRule, Rule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IDestination, IEventSourceDlq } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { VigilFunction } from '../functions/vigil-function';
import { addAlarm } from './alarm';

/**
 * Where everything ends that was given up, so that nothing is lost without a sign: batches of the table's stream, and status
 * changes that did not reach Settle. One queue, since one person looks into it; each message says what it is.
 */
export class Undelivered extends Construct {
  readonly url: string;
  private readonly queue: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.queue = new Queue(this, 'Queue', {
      // The queue's own key: by one of KMS, EventBridge could not write without a right to that key.
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // The longest that there is.
      retentionPeriod: Duration.days(14),
    });
    this.url = this.queue.queueUrl;
    addAlarm(this, 'Alarm', {
      description: 'Something could not be delivered: a run, a timer or an event may hang.',
      metric: this.queue.metricApproximateNumberOfMessagesVisible(),
      from: 1,
    });
    Validations.of(this.queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is the dead-letter queue: nothing but a person takes from it.',
    });
  }

  /** For what Lambda could not make a function take: it is put here by the function's own right. */
  of(fn: VigilFunction): IEventSourceDlq & IDestination {
    const { queueArn: destination } = this.queue;
    fn.allow([destination], 'sqs:SendMessage');
    return { bind: () => ({ destination }) };
  }

  /** The same for what EventBridge cannot even hand to Lambda. */
  get ofRules(): CfnRule.DeadLetterConfigProperty {
    return { arn: this.queue.queueArn };
  }

  /** A rule has no role: the queue's own policy lets it in. */
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
