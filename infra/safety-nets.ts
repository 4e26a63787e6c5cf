import { Duration } from 'aws-cdk-lib';
import { type IRuleTarget, Rule } from 'aws-cdk-lib/aws-events';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { ConversationTable } from './conversation-table';
import type { Machine } from './machine';
import type { VigilFunction } from './vigil-function';

export interface SettleRuleProps {
  machines: Machine[];
  settle: VigilFunction;
}

/**
 * Tells Settle about executions that did not end by themselves, so that no run is left open. The state machine itself
 * tells it when a step fails for good; this is the second net, since EventBridge delivers status changes as best it can.
 */
export class SettleRule extends Construct {
  constructor(scope: Construct, id: string, { machines, settle }: SettleRuleProps) {
    super(scope, id);
    const target: IRuleTarget = { bind: () => ({ arn: settle.functionArn }) };
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
  }
}

export interface RelayStreamProps {
  table: ConversationTable;
  relay: VigilFunction;
}

/** Shows Relay every row that says what is still to be done, in case the process that wrote it died before doing it. */
export class RelayStream extends Construct {
  constructor(scope: Construct, id: string, { table, relay }: RelayStreamProps) {
    super(scope, id);
    table.grantReadStream(relay);
    new EventSourceMapping(this, 'Mapping', {
      target: relay,
      eventSourceArn: table.streamArn,
      startingPosition: StartingPosition.TRIM_HORIZON,
      filters: [FilterCriteria.filter({ dynamodb: { NewImage: { outbox: { S: [{ exists: true }] } } } })],
      batchSize: 100,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      // An outage of an hour loses nothing; a record that can never be served holds up its shard no longer than that.
      maxRecordAge: Duration.hours(1),
    });
  }
}
