import { Duration, Stack } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { ApiKey } from '../functions/api-key';
import { type ConversationTable, partition } from '../functions/conversation-table';
import { VigilFunction } from '../functions/vigil-function';
import type { Undelivered } from '../machines/undelivered';
import type { Settings } from '../settings';
import { addAlarm } from '../watch/alarm';
import { ownMetric } from '../watch/own-metric';
import type { LiveView } from './live-view';

export interface TracesProps {
  bundles: string;
  table: ConversationTable;
  live: LiveView;
  settings: Settings;
  undelivered: Undelivered;
}

/** Sends traces to a backend, if the deployment names one. It is told by Broadcast what has finished, and nothing waits for it. */
export class Telemetry extends Construct {
  readonly fn: VigilFunction;

  constructor(scope: Construct, id: string, { bundles, table, live, settings, undelivered }: TracesProps) {
    super(scope, id);
    const { endpoint, scope: ofTrace, content } = settings.telemetry!;
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
    live.tell(this.fn);
    this.fn.configureAsyncInvoke({ onFailure: undelivered.of(this.fn) });
    addAlarm(this, 'SpansLost', {
      description: 'The backend of the traces refuses spans, which are lost.',
      metric: ownMetric(this, 'SpansLost', { statistic: 'Sum', period: Duration.minutes(5) }),
      from: 1,
    });
  }
}
