import { Duration } from 'aws-cdk-lib';
import { type IRuleTarget, Rule, type RuleProps, Schedule } from 'aws-cdk-lib/aws-events';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { VigilFunction } from '../functions/vigil-function';

/** Invokes Reconcile by a rule of EventBridge. */
export function sweepBy(scope: Construct, id: string, reconcile: VigilFunction, when: RuleProps): void {
  const target: IRuleTarget = { bind: () => ({ arn: reconcile.functionArn }) };
  const { ruleArn: sourceArn } = new Rule(scope, id, { ...when, targets: [target] });
  const principal = new ServicePrincipal('events.amazonaws.com');
  // All permissions are in one place, where each rule of each scope needs a name.
  reconcile.addPermission(`${scope.node.id}${id}`, { principal, sourceArn });
}

/**
 * Invokes Reconcile once an hour. On a healthy table this costs some reads for each open run and timer. What a sweep could not check, the next
 * one checks.
 */
export class ReconcileSchedule extends Construct {
  constructor(scope: Construct, id: string, reconcile: VigilFunction) {
    super(scope, id);
    sweepBy(this, 'Rule', reconcile, {
      description: 'Compares the table with Step Functions',
      schedule: Schedule.rate(Duration.hours(1)),
    });
  }
}
