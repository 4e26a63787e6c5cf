import { Duration } from 'aws-cdk-lib';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { ConfigurationError } from '../../core/base/text/errors';
import type { VigilFunction } from '../functions/vigil-function';
import type { Machine } from '../machines/machine';
import { addAlarm, sumOf } from './alarm';
import { ownMetric } from './own-metric';

/** Each alarm is raised at this value. Counts are of five minutes. */
export interface AlarmThresholds {
  /** Executions of runs that failed. Default: 5. */
  readonly failedRuns?: number;
  /** Failed invocations of the platform's functions, without CallModel and the tools, whose failures are retried. Default: 5. */
  readonly functionErrors?: number;
  /** Throttled invocations of CallModel, Api and Relay. Default: 10. */
  readonly throttles?: number;
  /** Responses of the HTTP API with a status of 500 to 599. Default: 5. */
  readonly apiErrors?: number;
  /** The latency, in seconds, that a tenth of the model calls of 15 minutes exceed. Default: 60. */
  readonly modelSeconds?: number;
  /** The cost of models in an hour, by the price list. Default: 10. */
  readonly dollarsInHour?: number;
}

export interface AlarmSettings extends AlarmThresholds {
  /** Is notified by all alarms, also when one clears. */
  readonly topic?: ITopic;
}

const defaults: Required<AlarmThresholds> = {
  failedRuns: 5,
  functionErrors: 5,
  throttles: 10,
  apiErrors: 5,
  modelSeconds: 60,
  dollarsInHour: 10,
};

/** @throws ConfigurationError that names the prop. */
export function thresholdsOf({ topic: _, ...given }: AlarmSettings = {}): Required<AlarmThresholds> {
  for (const [name, value] of Object.entries(given))
    if (!(typeof value === 'number' && value > 0))
      throw new ConfigurationError(`alarms.${name} is ${value}: it must be a number above 0.`);
  return { ...defaults, ...given };
}

export interface AlarmsProps {
  thresholds: Required<AlarmThresholds>;
  loop: Machine;
  otherMachines: Machine[];
  /** Those that no state machine retries for long, and Notify. At most ten. */
  functions: VigilFunction[];
  /** Those that are throttled first. */
  busiest: VigilFunction[];
  serverErrors: Metric;
}

const minutes = (count: number) => Duration.minutes(count);

/** The alarms of what spans several parts. The queue and the readers of the stream have theirs where they are. */
export class Alarms extends Construct {
  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    const { thresholds, loop, otherMachines, functions, busiest, serverErrors } = props;
    addAlarm(this, 'RunsFailed', {
      description: 'Runs fail.',
      metric: loop.failed.with({ statistic: 'Sum', period: minutes(5) }),
      from: thresholds.failedRuns,
    });
    addAlarm(this, 'MachinesFailed', {
      description: 'A timer, a rollback or a notice failed.',
      metric: sumOf(
        otherMachines.map(({ failed }) => failed),
        minutes(5),
      ),
      from: 1,
    });
    addAlarm(this, 'FunctionErrors', {
      description: 'Functions of the platform fail.',
      metric: sumOf(
        functions.map((fn) => fn.metricErrors()),
        minutes(5),
      ),
      from: thresholds.functionErrors,
    });
    addAlarm(this, 'Throttles', {
      description: 'Lambda has no capacity for CallModel, Api or Relay: work waits.',
      metric: sumOf(
        busiest.map((fn) => fn.metricThrottles()),
        minutes(5),
      ),
      from: thresholds.throttles,
    });
    addAlarm(this, 'ApiErrors', {
      description: 'The HTTP API answers with 5xx.',
      metric: serverErrors.with({ statistic: 'Sum', period: minutes(5) }),
      from: thresholds.apiErrors,
    });
    addAlarm(this, 'OutboxWaits', {
      description:
        'Relay has failed for ten minutes, or for good, to do what is committed: a start, a stop or an answer.',
      metric: ownMetric(this, 'OutboxAge', { statistic: 'Maximum', period: minutes(5) }),
      from: minutes(10).toMilliseconds(),
    });
    addAlarm(this, 'Repairs', {
      description: 'Reconcile had to start, end or send something again.',
      metric: ownMetric(this, 'Repairs', { statistic: 'Sum', period: Duration.hours(1) }),
      from: 1,
    });
    addAlarm(this, 'ModelSlow', {
      description: 'The models are slow.',
      metric: ownMetric(this, 'ModelLatency', { statistic: 'p90', period: minutes(15) }),
      from: thresholds.modelSeconds * 1_000,
    });
    addAlarm(this, 'Cost', {
      description: 'The models cost more than expected.',
      metric: ownMetric(this, 'CostDollars', { statistic: 'Sum', period: Duration.hours(1) }),
      from: thresholds.dollarsInHour,
    });
  }
}
