import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Construct } from 'constructs';
import { sharedBy } from '../shared';

export interface AlarmProps {
  /** What is wrong. A notification of the alarm shows only this text and the page that it names. */
  description: string;
  metric: Metric;
  /** The alarm threshold: the lowest value that is too high. */
  from: number;
}

/**
 * Adds an alarm that is raised within five minutes and clears by itself. It notifies the topic of
 * `alarms`, if there is one, also when it clears. A missing metric means that the stream or the queue has no activity.
 */
export function addAlarm(scope: Construct, id: string, { description, metric, from }: AlarmProps): void {
  const alarm = new Alarm(scope, id, {
    alarmDescription: `${description} See docs/operations.md, "When something could not be delivered".`,
    metric: metric.with({ statistic: 'Maximum', period: Duration.minutes(5) }),
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    threshold: from,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
  const { alarmTopic } = sharedBy(scope);
  if (!alarmTopic) return;
  alarm.addAlarmAction(new SnsAction(alarmTopic));
  alarm.addOkAction(new SnsAction(alarmTopic));
}
