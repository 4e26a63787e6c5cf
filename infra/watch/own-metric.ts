import { Stack } from 'aws-cdk-lib';
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import {
  type MetricDimensions,
  type MetricName,
  metricsNamespace,
  stackDimension,
} from '../../core/people/live/metrics';

/** Returns a metric that the functions of the stack print (`core/people/live/metrics.ts`). */
export const ownMetric = (
  scope: Construct,
  metricName: MetricName,
  { by = {}, ...options }: MetricOptions & { by?: MetricDimensions },
): Metric =>
  new Metric({
    namespace: metricsNamespace,
    metricName,
    dimensionsMap: { [stackDimension]: Stack.of(scope).stackName, ...by },
    ...options,
  });
