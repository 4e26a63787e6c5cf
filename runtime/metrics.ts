import {
  factsOfMetric,
  type MetricDimensions,
  type MetricName,
  type MetricValues,
  metricsNamespace,
  stackDimension,
} from '../core/people/live/metrics';
import { optionalVariable } from './environment';
import { type LogFields, log } from './log';

/**
 * Logs a line in CloudWatch's embedded metric format: CloudWatch Logs reads the metrics from it. So counting needs no request, and the
 * line has the ids that belong to a figure.
 */
export function count(
  message: string,
  values: MetricValues,
  dimensions: MetricDimensions = {},
  fields: LogFields = {},
): void {
  const stack = { [stackDimension]: optionalVariable('STACK_NAME') ?? 'local' };
  log.info(message, { ...fields, ...stack, ...dimensions, ...values }, { _aws: described(values) });
}

/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html */
function described(values: MetricValues) {
  const names = Object.keys(values) as MetricName[];
  const groups = new Set(names.map(groupOf));
  return {
    Timestamp: Date.now(),
    CloudWatchMetrics: [...groups].map((group) => ({
      Namespace: metricsNamespace,
      Dimensions: JSON.parse(group) as string[][],
      Metrics: names
        .filter((name) => groupOf(name) === group)
        .map((Name) => ({ Name, Unit: factsOfMetric(Name).unit })),
    })),
  };
}

const groupOf = (name: MetricName): string => JSON.stringify(dimensionsOf(name));

function dimensionsOf(name: MetricName): string[][] {
  const { by } = factsOfMetric(name);
  return [[stackDimension], ...(by ? [[stackDimension, by]] : [])];
}
