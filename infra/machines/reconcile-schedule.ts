import { Duration } from 'aws-cdk-lib';
import { type IRuleTarget, Rule, type RuleProps, Schedule } from 'aws-cdk-lib/aws-events';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { VigilFunction } from '../functions/vigil-function';

/** Invokes Reconcile by a rule of EventBridge. No other rule of the stack has the same id. */
export function sweepBy(scope: Construct, id: string, reconcile: VigilFunction, when: RuleProps): void {
  const target: IRuleTarget = { bind: () => ({ arn: reconcile.functionArn }) };
  const { ruleArn: sourceArn } = new Rule(new Construct(scope, id), 'Rule', { ...when, targets: [target] });
  reconcile.addPermission(id, { principal: new ServicePrincipal('events.amazonaws.com'), sourceArn });
}

/** On a healthy table a sweep costs some reads for each open run and timer. What it could not check, the next one checks. */
export const hourly: RuleProps = {
  description: 'Compares the table with Step Functions',
  schedule: Schedule.rate(Duration.hours(1)),
};
