import { type IRuleTarget, Rule } from 'aws-cdk-lib/aws-events';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { ConversationTable } from '../functions/conversation-table';
import type { VigilFunction } from '../functions/vigil-function';
import type { Machine } from './machine';
import { StreamReader } from './stream-reader';
import type { Undelivered } from './undelivered';

export interface SettleRuleProps {
  machines: Machine[];
  settle: VigilFunction;
  undelivered: Undelivered;
}

/**
 * Tells Settle about executions that did not end by themselves, so that no run is left open. The state machine itself
 * tells it when a step fails for good; this is the second net, since EventBridge delivers status changes as best it can, and
 * the only one for a timeout and for an abort in the console. What falls through lies in the queue, whether EventBridge could
 * not hand it to Lambda or Settle failed at it.
 */
export class SettleRule extends Construct {
  constructor(scope: Construct, id: string, { machines, settle, undelivered }: SettleRuleProps) {
    super(scope, id);
    const target: IRuleTarget = { bind: () => ({ arn: settle.functionArn, deadLetterConfig: undelivered.ofRules }) };
    const rule = new Rule(this, 'Rule', {
      description: 'Executions that failed, timed out or were aborted',
      eventPattern: {
        source: ['aws.states'],
        detailType: ['Step Functions Execution Status Change'],
        detail: { status: ['FAILED', 'TIMED_OUT', 'ABORTED'], stateMachineArn: machines.map(({ arn }) => arn) },
      },
      targets: [target],
    });
    settle.addPermission('Rule', { principal: new ServicePrincipal('events.amazonaws.com'), sourceArn: rule.ruleArn });
    undelivered.admit(rule);
    settle.configureAsyncInvoke({ onFailure: undelivered.of(settle) });
  }
}

export interface RelayStreamProps {
  table: ConversationTable;
  relay: VigilFunction;
  undelivered: Undelivered;
}

/** Shows Relay every row that says what is still to be done, in case the process that wrote it died before doing it. */
export class RelayStream extends Construct {
  constructor(scope: Construct, id: string, { relay: reader, ...props }: RelayStreamProps) {
    super(scope, id);
    const filter = { dynamodb: { NewImage: { outbox: { S: [{ exists: true }] } } } };
    new StreamReader(this, 'Mapping', { ...props, reader, filter });
  }
}
