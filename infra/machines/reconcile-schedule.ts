import { Duration } from 'aws-cdk-lib';
import { type IRuleTarget, Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { VigilFunction } from '../functions/vigil-function';

/**
 * Invokes Reconcile once an hour. On a healthy table this costs some reads for each open run and timer. What a sweep could not check,
 * the next one checks.
 */
export class ReconcileSchedule extends Construct {
  constructor(scope: Construct, id: string, { reconcile }: { reconcile: VigilFunction }) {
    super(scope, id);
    const target: IRuleTarget = { bind: () => ({ arn: reconcile.functionArn }) };
    const { ruleArn: sourceArn } = new Rule(this, 'Rule', {
      description: 'Compares the table with Step Functions',
      schedule: Schedule.rate(Duration.hours(1)),
      targets: [target],
    });
    reconcile.addPermission('Schedule', { principal: new ServicePrincipal('events.amazonaws.com'), sourceArn });
  }
}
