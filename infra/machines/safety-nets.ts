import { type IRuleTarget, Rule } from 'aws-cdk-lib/aws-events';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { prefix } from '../../core/conversations/rows/keys';
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
 * Invokes Settle for executions that did not end by themselves, so that no run stays open. The state machine itself
 * invokes Settle when a step fails for good. This rule is the second safety net, because EventBridge delivers status
 * changes on a best-effort basis, and the only one for a timeout and for an abort in the console. A status change that
 * EventBridge cannot deliver, or that Settle fails to handle, goes to the queue.
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

/** Invokes Relay for each row of to-dos, in case the process that wrote it died before it acted. */
export class RelayStream extends Construct {
  constructor(scope: Construct, id: string, { relay: reader, ...props }: RelayStreamProps) {
    super(scope, id);
    const filter = { eventName: ['INSERT'], dynamodb: { Keys: { sk: { S: [{ prefix: prefix.todos }] } } } };
    new StreamReader(this, 'Mapping', { ...props, reader, filter });
  }
}
