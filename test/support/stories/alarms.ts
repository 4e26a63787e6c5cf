import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assembly } from '../clouds/assembly';
import type { LoggedLine } from '../logged';
import type { Resource, Template } from '../template-rights';

/** A metric of an alarm, as the template has it. */
export interface AlarmMetric {
  Namespace: string;
  MetricName: string;
  Dimensions: { Name: string; Value: unknown }[];
}

interface AlarmProperties extends Partial<AlarmMetric> {
  Period?: number;
  Statistic?: string;
  ExtendedStatistic?: string;
  Threshold: number;
  Metrics?: { Id: string; Expression?: string; MetricStat?: { Metric: AlarmMetric; Period: number; Stat: string } }[];
}

export interface Datapoint {
  at: number;
  value: number;
}

const propertiesOf = ({ Properties }: Resource) => Properties as unknown as AlarmProperties;

/** The metrics that an alarm watches: one, or those that it sums. */
export function metricsOf(alarm: Resource): AlarmMetric[] {
  const { Namespace, MetricName, Dimensions, Metrics } = propertiesOf(alarm);
  const summed = Metrics?.flatMap(({ MetricStat }) => (MetricStat ? [MetricStat.Metric] : []));
  return summed ?? [{ Namespace: Namespace!, MetricName: MetricName!, Dimensions: Dimensions! }];
}

const minute = 60_000;

/**
 * Whether CloudWatch would raise an alarm of one period, which it evaluates every minute: the statistic of some period reaches the
 * threshold. A period without datapoints does not. A sum is of all its metrics' datapoints, and those that are missing are 0.
 */
export function isRaised(alarm: Resource, datapoints: readonly Datapoint[]): boolean {
  const { Threshold, Metrics, ...one } = propertiesOf(alarm);
  const stat = Metrics?.find(({ MetricStat }) => MetricStat)?.MetricStat;
  if (Metrics) assertSum(Metrics);
  const period = (stat?.Period ?? one.Period!) * 1_000;
  const statistic = stat?.Stat ?? one.Statistic ?? one.ExtendedStatistic!;
  return datapoints.some(({ at }) => {
    const begin = Math.floor(at / minute) * minute;
    const within = datapoints.filter((one) => one.at >= begin && one.at < begin + period);
    const values = within.map(({ value }) => value);
    return statisticOf(statistic, values) >= Threshold;
  });
}

function assertSum(metrics: NonNullable<AlarmProperties['Metrics']>): void {
  const ids = metrics.flatMap(({ Id, MetricStat }) => (MetricStat ? [Id] : []));
  const { Expression } = metrics.find((one) => one.Expression)!;
  expect(Expression).toBe(ids.map((id) => `FILL(${id}, 0)`).join(' + '));
}

function statisticOf(statistic: string, values: number[]): number {
  if (statistic === 'Sum') return values.reduce((sum, value) => sum + value, 0);
  if (statistic === 'Maximum') return Math.max(...values);
  const [, percent] = /^p(\d+)$/.exec(statistic) ?? [];
  if (!percent) throw new Error(`The statistic ${statistic} is not evaluated here.`);
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil((Number(percent) / 100) * sorted.length) - 1]!;
}

interface Described {
  Timestamp: number;
  CloudWatchMetrics: { Namespace: string; Dimensions: string[][]; Metrics: { Name: string; Unit: string }[] }[];
}

export interface Emitted extends Datapoint {
  namespace: string;
  name: string;
  unit: string;
  /** The names of the dimensions of one set, and their values. */
  dimensions: Record<string, string>;
}

/** Returns the metrics that CloudWatch reads from lines, by the specification of the embedded metric format. */
export const emittedIn = (lines: readonly LoggedLine[]): Emitted[] =>
  lines.flatMap((line) => {
    const { Timestamp: at, CloudWatchMetrics = [] } = (line._aws ?? {}) as Described;
    return CloudWatchMetrics.flatMap(({ Namespace: namespace, Dimensions, Metrics }) =>
      Dimensions.flatMap((set) =>
        Metrics.map(({ Name: name, Unit: unit }) => {
          const dimensions = Object.fromEntries(set.map((dimension) => [dimension, line[dimension] as string]));
          return { namespace, name, unit, dimensions, at, value: line[name] as number };
        }),
      ),
    );
  });

/** Returns the datapoints of an alarm's metrics. */
export const datapointsOf = (alarm: Resource, emitted: readonly Emitted[]): Datapoint[] =>
  emitted.filter(({ namespace, name, dimensions }) =>
    metricsOf(alarm).some(
      ({ Namespace, MetricName, Dimensions }) =>
        Namespace === namespace &&
        MetricName === name &&
        Dimensions.length === Object.keys(dimensions).length &&
        Dimensions.every(({ Name, Value }) => dimensions[Name] === Value),
    ),
  );

/** Returns a function's lines. Lambda's own, and those of a process that was killed in the middle of one, are left out. */
export const linesIn = (logs: string): LoggedLine[] =>
  logs.split('\n').flatMap((text) => {
    try {
      return text.startsWith('{"level"') ? [JSON.parse(text) as LoggedLine] : [];
    } catch {
      return [];
    }
  });

/** Returns the scenarios' alarm whose section of docs/operations.md has this title. */
function alarmOf(title: string): Resource {
  const { Resources } = JSON.parse(readFileSync(join(assembly, 'Vigil.template.json'), 'utf8')) as Template;
  const alarms = Object.values(Resources).filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm');
  return alarms.find(({ Properties }) => String(Properties.AlarmDescription).endsWith(`"${title}".`))!;
}

/** Whether an alarm on metrics of Vigil's own would be raised by what functions have logged. */
export function isRinging(title: string, logs: string): boolean {
  const alarm = alarmOf(title);
  return isRaised(alarm, datapointsOf(alarm, emittedIn(linesIn(logs))));
}
