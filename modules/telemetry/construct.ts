import { Duration, Stack } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { anyText, checkOptions, fields, flag, oneOf, optional } from '../../core/base/schemas/definition';
import { TraceScope } from '../../core/base/state/trace';
import { ApiKey } from '../../infra/functions/api-key';
import { partition } from '../../infra/functions/conversation-table';
import { VigilFunction } from '../../infra/functions/vigil-function';
import type { Kernel, VigilModule } from '../../infra/module';
import { httpAddress } from '../../infra/settings-table';
import { addAlarm } from '../../infra/watch/alarm';
import { ownMetric } from '../../infra/watch/own-metric';

/** Traces by OpenTelemetry's conventions for generative AI (docs/telemetry.md). */
export interface TelemetryProps {
  /** The address of the backend, which takes OTLP over HTTP: `/v1/traces` is appended. Its headers are the secret `OTEL_EXPORTER_OTLP_HEADERS`. */
  readonly endpoint: string;
  /**
   * What one trace has: a run, a whole conversation, or a segment of a run with a link to the one before.
   *
   * @default 'run'
   */
  readonly scope?: TraceScope;
  /** Whether spans have messages, arguments and results, redacted. Default: ids and figures only. */
  readonly content?: boolean;
}

const rules = fields<TelemetryProps>({
  endpoint: anyText,
  scope: optional(oneOf(...TraceScope.options)),
  content: optional(flag),
});

/**
 * Sends traces of runs, model calls and tool calls to a backend.
 *
 * @throws ConfigurationError that names the option.
 * @example
 * ```ts
 * import { telemetry } from 'vigil/modules/telemetry';
 *
 * // new Vigil(stack, 'Agents', { agents: './agents', modules: [listed] })
 * const listed = telemetry({ endpoint: 'https://traces.example.com' });
 * listed.name; // → 'telemetry'
 * ```
 */
export function telemetry(props: TelemetryProps): VigilModule {
  checkOptions('telemetry', props, rules);
  const { scope = 'run', content = false } = props;
  const endpoint = httpAddress(props.endpoint, 'telemetry.endpoint');
  return {
    name: 'telemetry',
    deploy(kernel) {
      // What passes the context of a trace on derives it.
      for (const fn of kernel.workers) fn.addEnvironment('VIGIL_TRACES', scope);
      const { fn } = new Telemetry(kernel, { endpoint, scope, content });
      return {
        functions: [fn],
        graphs: [{ title: 'Spans', metrics: ['SpansSent', 'SpansWaiting', 'SpansLost'] }],
      };
    },
  };
}

/** Sends traces to a backend. Broadcast tells it what has finished, and nothing waits for it. */
class Telemetry extends Construct {
  readonly fn: VigilFunction;

  constructor({ scope, bundles, table, live, undelivered }: Kernel, props: Required<TelemetryProps>) {
    super(scope, 'Traces');
    const { endpoint, scope: ofTrace, content } = props;
    const key = new ApiKey(this, 'Headers', {
      variable: 'OTEL_EXPORTER_OTLP_HEADERS',
      of: 'The headers for the backend of traces',
    });
    this.fn = new VigilFunction(this, 'Telemetry', {
      description: 'Makes spans of what has finished, and sends them',
      bundles,
      timeoutSeconds: 120,
      environment: {
        STACK_NAME: Stack.of(this).stackName,
        OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
        OTLP_HEADERS_SECRET_ARN: key.arn,
        VIGIL_TRACES: ofTrace,
        ...(content && { VIGIL_TELEMETRY_CONTENT: 'true', TABLE_NAME: table.name }),
      },
    });
    key.grantRead(this.fn);
    // Without content, it reads nothing that anybody has written.
    if (content) table.grant(this.fn, [partition.conversations], 'GetItem', 'Query');
    live.tell(this.fn, 'TELEMETRY_ARN');
    this.fn.configureAsyncInvoke({ onFailure: undelivered.of(this.fn) });
    addAlarm(this, 'SpansLost', {
      description: 'The backend of the traces refuses spans, which are lost.',
      metric: ownMetric(this, 'SpansLost', { statistic: 'Sum', period: Duration.minutes(5) }),
      from: 1,
    });
  }
}
