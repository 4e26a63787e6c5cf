import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { shipped } from '../../../agents';
import { TraceScope } from '../../../core/base/state/trace';
import { optionalVariable, tableOfDeployment, variable } from '../../../runtime/environment';
import { log, logged } from '../../../runtime/log';
import { count } from '../../../runtime/metrics';
import { secret } from '../../../runtime/secret';
import { contentOf } from '../content';
import { type Backend, send } from '../otlp';
import { recordSent, sentOf } from '../sent';
import { type Span, spansOf } from '../spans';
import { TelemetryRequest } from '../tell';

const live = tableOfDeployment('LIVE_TABLE_NAME');
const table = optionalVariable('VIGIL_TELEMETRY_CONTENT') === 'true' ? tableOfDeployment() : undefined;
const headers = secret(new SecretsManagerClient({}), 'OTLP_HEADERS_SECRET_ARN', 'the headers of the traces’ backend');
const backend: Backend = {
  endpoint: variable('OTEL_EXPORTER_OTLP_ENDPOINT'),
  headers: () => headers.find(),
  forget: () => headers.forget(),
};
const resource = resourceFromAttributes({
  'service.name': 'vigil',
  'service.namespace': variable('STACK_NAME'),
  'telemetry.sdk.language': 'nodejs',
  'telemetry.sdk.name': 'vigil',
});
const making = { scope: TraceScope.parse(variable('VIGIL_TRACES')), registry: shipped, resource };

/** A request stays far below the limits of backends, which are a few megabytes. */
const spansAtOnce = 64;

/**
 * Telemetry: makes spans of what has finished, and sends them to the backend. Nothing waits for it. It may run twice, and at the same time: a
 * span has the same id each time.
 *
 * @throws NotTaken if the backend takes nothing. Lambda invokes it again, twice, and then keeps the facts in the queue of what is undelivered.
 */
export const handler = logged(async (event: unknown): Promise<void> => {
  const { facts } = TelemetryRequest.parse(event);
  const made = new Map<string, Span>();
  for (const fact of facts) {
    const content = table && (await contentOf(table, fact));
    for (const span of spansOf(making, fact, content)) made.set(span.spanContext().spanId, span);
  }
  const sent = await sentOf(live, [...made.keys()]);
  const open = [...made].filter(([id]) => !sent.has(id)).map(([, span]) => span);
  for (let from = 0; from < open.length; from += spansAtOnce) await deliver(open.slice(from, from + spansAtOnce));
});

async function deliver(spans: Span[]): Promise<void> {
  const refused = await sendSpans(spans);
  await recordSent(
    live,
    spans.map((span) => span.spanContext().spanId),
    new Date(),
  );
  // A metric costs in each hour in which it is printed.
  count('spans', { SpansSent: spans.length - refused, ...(refused > 0 && { SpansLost: refused }) });
}

/** Some backends answer a success with JSON, or with a page. It is one all the same. */
function rejectedIn(answer: Uint8Array): number {
  try {
    return Number(ProtobufTraceSerializer.deserializeResponse(answer).partialSuccess?.rejectedSpans ?? 0);
  } catch {
    return 0;
  }
}

/** @returns how many the backend has refused for good. It does not say which. */
async function sendSpans(spans: Span[]): Promise<number> {
  try {
    const rejectedSpans = rejectedIn(await send(backend, ProtobufTraceSerializer.serializeRequest(spans)!));
    if (rejectedSpans > 0) log.error('spans are lost: the backend rejects them', { spans: rejectedSpans });
    return Math.min(spans.length, rejectedSpans);
  } catch (error) {
    const { name, message } = error as Error;
    if (name !== 'Refused') {
      count('spans wait', { SpansWaiting: spans.length }, {}, { error: name, reason: message });
      throw error;
    }
    log.error('spans are lost: the backend refuses them', { spans: spans.length, reason: message });
    return spans.length;
  }
}
