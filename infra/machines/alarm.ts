import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';

export interface AlarmProps {
  /** What is wrong, and where to read on: all that whoever is woken by it gets to see. */
  description: string;
  metric: Metric;
  /** The lowest value that is too high. */
  from: number;
}

/**
 * Is raised within five minutes and settles by itself. It has no action: whom it tells is the operator's to say. A metric
 * that is not sent is a stream or a queue in which nothing happens.
 */
export function addAlarm(scope: Construct, id: string, { description, metric, from }: AlarmProps): void {
  new Alarm(scope, id, {
    alarmDescription: `${description} See docs/operations.md, "When something could not be delivered".`,
    metric: metric.with({ statistic: 'Maximum', period: Duration.minutes(5) }),
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    threshold: from,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
}
