import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api';
import type { ProtobufMetricsSerializer } from '@opentelemetry/otlp-transformer';
import type { Resource } from '@opentelemetry/resources';
import { AggregationTemporality, DataPointType } from '@opentelemetry/sdk-metrics';
import { boundaries, metricNames, names, operations, scope } from './conventions';
import type { Span } from './spans';

type ResourceMetrics = Parameters<typeof ProtobufMetricsSerializer.serializeRequest>[0];
type Metric = ResourceMetrics['scopeMetrics'][number]['metrics'][number];

interface Histogram {
  name: string;
  unit: string;
  bounds: readonly number[];
  /** The values that a span adds, each with its attributes. */
  of(span: Span): { value: number; attributes: Attributes }[];
}

const seconds = ({ duration: [whole, nanos] }: Span): number => whole + nanos / 1e9;
const picked = ({ attributes }: Span, ...keys: string[]): Attributes =>
  Object.fromEntries(keys.flatMap((key) => (attributes[key] === undefined ? [] : [[key, attributes[key]]])));
const ofModel = [names.operation, names.provider, names.requestModel] as const;
const isOperation = ({ attributes }: Span, operation: string): boolean => attributes[names.operation] === operation;

/** The ids of conversations and calls are no attributes of metrics: each would be a series of its own. */
const histograms: Histogram[] = [
  {
    ...{ name: metricNames.tokens, unit: '{token}', bounds: boundaries.tokens },
    of: (span) =>
      (
        [
          ['input', names.inputTokens],
          ['output', names.outputTokens],
        ] as const
      ).flatMap(([type, attribute]) => {
        const value = span.attributes[attribute];
        if (typeof value !== 'number' || !isOperation(span, operations.chat)) return [];
        return [{ value, attributes: { ...picked(span, ...ofModel), [names.tokenType]: type } }];
      }),
  },
  ...(
    [
      [metricNames.duration, operations.chat, ofModel],
      [metricNames.toolDuration, operations.tool, [names.operation, names.toolName, names.toolType]],
      [metricNames.agentDuration, operations.agent, [names.operation, names.provider, names.agentName]],
    ] as const
  ).map(
    ([name, operation, attributes]): Histogram => ({
      ...{ name, unit: 's', bounds: boundaries.seconds },
      of: (span) =>
        isOperation(span, operation)
          ? [{ value: seconds(span), attributes: picked(span, ...attributes, names.errorType) }]
          : [],
    }),
  ),
];

/** Returns the metrics of spans, as sums of this request alone (`delta`): no process is there to sum up. Undefined for none. */
export function pointsOf(spans: readonly Span[], resource: Resource, now: Date): ResourceMetrics | undefined {
  const endTime: HrTime = [Math.floor(now.getTime() / 1_000), (now.getTime() % 1_000) * 1_000_000];
  const metrics = histograms.flatMap(({ name, unit, bounds, of }): Metric[] => {
    const groups = new Map<string, { attributes: Attributes; values: number[] }>();
    for (const { value, attributes } of spans.flatMap(of)) {
      const id = JSON.stringify(attributes);
      const group = groups.get(id) ?? { attributes, values: [] };
      group.values.push(value);
      groups.set(id, group);
    }
    if (groups.size === 0) return [];
    const dataPoints = [...groups.values()].map(({ attributes, values }) => ({
      ...{ attributes, endTime, startTime: earliest(spans, endTime) },
      value: {
        buckets: { boundaries: [...bounds], counts: countsIn(values, bounds) },
        ...{ count: values.length, sum: values.reduce((sum, value) => sum + value, 0) },
        ...{ min: Math.min(...values), max: Math.max(...values) },
      },
    }));
    return [
      {
        descriptor: { name, unit, description: '', valueType: ValueType.DOUBLE },
        aggregationTemporality: AggregationTemporality.DELTA,
        dataPointType: DataPointType.HISTOGRAM,
        dataPoints,
      },
    ];
  });
  return metrics.length > 0 ? { resource, scopeMetrics: [{ scope, metrics }] } : undefined;
}

/** A run of weeks has begun long before: backends refuse points that are so old. */
const longestSeconds = 3_600;
function earliest(spans: readonly Span[], [now, nanos]: HrTime): HrTime {
  const began = Math.min(now, ...spans.map(({ endTime: [at] }) => at));
  return [Math.max(now - longestSeconds, began), began === now ? Math.max(0, nanos - 1) : 0];
}

function countsIn(values: readonly number[], bounds: readonly number[]): number[] {
  const counts = Array.from({ length: bounds.length + 1 }, () => 0);
  for (const value of values) {
    const at = bounds.findIndex((bound) => value <= bound);
    counts[at < 0 ? bounds.length : at]!++;
  }
  return counts;
}
