import { Duration } from 'aws-cdk-lib';
import { Dashboard, GraphWidget, type IMetric, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { MetricName } from '../../core/people/live/metrics';
import type { VigilFunction } from '../functions/vigil-function';
import type { Machine } from '../machines/machine';
import type { Deployed } from '../module';
import { ownMetric } from './own-metric';

export interface OverviewProps {
  machines: Machine[];
  functions: VigilFunction[];
  /** Relay and Broadcast. */
  readers: VigilFunction[];
  undelivered: Metric;
  serverErrors: Metric;
  apiLatency: Metric;
  /** Graphs of modules. */
  more: NonNullable<Deployed['graphs']>;
}

const period = Duration.minutes(5);
const ends = ['done', 'failed', 'limited', 'cancelled'];
const perRow = 3;

/** The dashboard: what runs, what it costs, what fails, what waits. */
export class Overview extends Construct {
  constructor(scope: Construct, id: string, props: OverviewProps) {
    super(scope, id);
    const { machines, functions, readers, undelivered, serverErrors, apiLatency, more } = props;
    const own = (name: MetricName, statistic: string) => ownMetric(this, name, { statistic, period });
    const sums = (metrics: Metric[]) => metrics.map((metric) => metric.with({ statistic: 'Sum', period }));
    const graphs: [title: string, metrics: IMetric[]][] = [
      [
        'Runs by end',
        ends.map((End) => ownMetric(this, 'RunsEnded', { by: { End }, label: End, statistic: 'Sum', period })),
      ],
      ['Model calls', [own('ModelCalls', 'Sum'), own('ModelFailures', 'Sum')]],
      ['Tokens', (['InputTokens', 'OutputTokens', 'EmbeddingTokens'] as const).map((name) => own(name, 'Sum'))],
      ['Cost in dollars', [own('CostDollars', 'Sum')]],
      ['Model latency, ms', [own('ModelLatency', 'p50'), own('ModelLatency', 'p90')]],
      ['First word, ms', [own('FirstWord', 'p50'), own('FirstWord', 'p90')]],
      ['Tools', [own('ToolFailures', 'Sum'), own('ToolRetries', 'Sum')]],
      ['People who take over, ms', [own('PersonWait', 'p90'), own('PersonTime', 'p90')]],
      ['API', [...sums([serverErrors]), apiLatency.with({ statistic: 'p90', period })]],
      ['Failed executions', sums(machines.map(({ failed }) => failed))],
      ['Failed invocations', sums(functions.map((fn) => fn.metricErrors()))],
      ['Throttled invocations', sums(functions.map((fn) => fn.metricThrottles()))],
      [
        'Behind the table, ms',
        readers.map((fn) => fn.metric('IteratorAge', { label: fn.node.id, statistic: 'Maximum', period })),
      ],
      ['To-dos that wait, ms', [own('OutboxAge', 'Maximum')]],
      ['Repairs', [own('Repairs', 'Sum')]],
      ['Undelivered', [undelivered.with({ statistic: 'Maximum', period })]],
    ];
    for (const { title, metrics } of more) graphs.push([title, metrics.map((name) => own(name, 'Sum'))]);
    const widgets = graphs.map(([title, left]) => new GraphWidget({ title, left, width: 24 / perRow }));
    const rows = Array.from({ length: Math.ceil(widgets.length / perRow) }, (_, row) =>
      widgets.slice(row * perRow, (row + 1) * perRow),
    );
    new Dashboard(this, 'Dashboard', { widgets: rows, defaultInterval: Duration.days(1) });
  }
}
