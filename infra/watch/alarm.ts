import type { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  type Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Construct } from 'constructs';
import { sharedBy } from '../shared';

export interface AlarmProps {
  /** The title of its section in docs/operations.md. Default: the id. */
  title?: string;
  /** The problem. A notification of the alarm shows only this text and the section. */
  description: string;
  metric: IMetric;
  /** The alarm threshold: the lowest value that is too high. */
  from: number;
}

/**
 * Adds an alarm that is raised by one period of its metric and clears by itself. It notifies the topic of `alarms`, if there is one, also
 * when it clears. A missing metric means that there is no activity.
 */
export function addAlarm(scope: Construct, id: string, { title = id, description, metric, from }: AlarmProps): void {
  const alarm = new Alarm(scope, id, {
    alarmDescription: `${description} See docs/operations.md, "${title}".`,
    metric,
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

/** An alarm can watch the sum of so many metrics. */
const mostMetrics = 10;

/** Returns the sum of metrics over a period. Each of them may be missing, and counts as 0 then. */
export function sumOf(metrics: Metric[], period: Duration): IMetric {
  if (metrics.length > mostMetrics) throw new Error(`An alarm can sum ${mostMetrics} metrics, not ${metrics.length}.`);
  const using = Object.fromEntries(metrics.map((metric, at) => [`m${at}`, metric.with({ statistic: 'Sum', period })]));
  const expression = Object.keys(using)
    .map((name) => `FILL(${name}, 0)`)
    .join(' + ');
  return new MathExpression({ expression, usingMetrics: using, period, label: 'sum' });
}
