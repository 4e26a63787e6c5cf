import { Aws, Duration } from 'aws-cdk-lib';
import { type IRuleTarget, Rule, type RuleProps, Schedule } from 'aws-cdk-lib/aws-events';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { VigilFunction } from '../functions/vigil-function';

interface ReconcileScheduleProps {
  reconcile: VigilFunction;
  /** Whether an agent has schedules, which a deployment may have changed. */
  hasSchedules: boolean;
}

/**
 * Invokes Reconcile once an hour, and after a deployment of an app whose agents have schedules. On a healthy table this costs some reads for
 * each open run and timer. What a sweep could not check, the next one checks.
 */
export class ReconcileSchedule extends Construct {
  constructor(scope: Construct, id: string, { reconcile, hasSchedules }: ReconcileScheduleProps) {
    super(scope, id);
    const target: IRuleTarget = { bind: () => ({ arn: reconcile.functionArn }) };
    const invoke = (name: string, when: RuleProps) => {
      const { ruleArn: sourceArn } = new Rule(this, name, { ...when, targets: [target] });
      const principal = new ServicePrincipal('events.amazonaws.com');
      reconcile.addPermission(name === 'Rule' ? 'Schedule' : name, { principal, sourceArn });
    };
    invoke('Rule', {
      description: 'Compares the table with Step Functions',
      schedule: Schedule.rate(Duration.hours(1)),
    });
    if (!hasSchedules) return;
    invoke('Deployed', {
      description: 'Applies the schedules that the code declares',
      eventPattern: {
        source: ['aws.cloudformation'],
        detailType: ['CloudFormation Stack Status Change'],
        detail: {
          'stack-id': [Aws.STACK_ID],
          'status-details': { status: ['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE'] },
        },
      },
    });
  }
}
