import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

/** The official definitions of OTLP, as their generator compiles them. */
const { opentelemetry } = require('otlp-definitions/build/src/generated/root') as { opentelemetry: Definitions };
interface Message {
  decode(bytes: Uint8Array): object;
  encode(value: object): { finish(): Uint8Array };
  toObject(value: object, options: object): Record<string, unknown>;
}
interface Definitions {
  proto: { collector: { trace: { v1: Record<string, Message> } } };
}
const ofTraces = opentelemetry.proto.collector.trace.v1;

type Values = Record<string, unknown>;

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  traceState: string;
  name: string;
  /** By its name in the definitions: `CLIENT`, `INTERNAL`. */
  kind: string;
  start: bigint;
  end: bigint;
  attributes: Values;
  links: { traceId: string; spanId: string }[];
  /** `ERROR` or `UNSET`. */
  status: string;
  words?: string;
  resource: Values;
}

/** What the backend answers: a status with headers, how many spans of a request it rejects, or a success with any words. */
export type Answer =
  | { status: number; headers?: Record<string, string> }
  | { rejected: number }
  | { says: string }
  | 'no answer';

export interface OtlpReceiver {
  url: string;
  /** All spans that came, those of requests that were refused not included. One that came twice is there twice. */
  spans: ReceivedSpan[];
  /** The headers of each request. */
  requests: { path: string; headers: Record<string, unknown>; isTaken: boolean }[];
  /** Answers the next requests in this way. */
  next(...answers: Answer[]): void;
  stop(): Promise<void>;
}

/** A backend that takes OTLP over HTTP, as strictly as the protocol is. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const answers: Answer[] = [];
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const body = await buffer(request);
    const type = { 'content-type': 'application/x-protobuf' };
    if (request.method !== 'POST' || path !== '/v1/traces') return response.writeHead(404).end();
    if (request.headers['content-type'] !== 'application/x-protobuf') return response.writeHead(415).end();
    const answer = answers.shift();
    const isTaken = !answer || (typeof answer === 'object' && !('status' in answer));
    receiver.requests.push({ path, headers: request.headers, isTaken });
    if (answer === 'no answer') return request.socket.destroy();
    if (answer && 'status' in answer) return response.writeHead(answer.status, answer.headers).end();
    try {
      const bytes = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
      receiver.spans.push(...spansIn(bytes));
    } catch {
      return response.writeHead(400, type).end();
    }
    if (answer && 'says' in answer) return response.writeHead(200).end(Buffer.from(answer.says, 'latin1'));
    const partialSuccess =
      answer && 'rejected' in answer ? { rejectedSpans: answer.rejected, errorMessage: 'too old' } : undefined;
    const encoded = ofTraces.ExportTraceServiceResponse!.encode(partialSuccess ? { partialSuccess } : {}).finish();
    return response.writeHead(200, type).end(encoded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    requests: [],
    next: (...more) => void answers.push(...more),
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return receiver;
}

const readable = { longs: String, enums: String, bytes: Array, defaults: true };

function spansIn(bytes: Uint8Array): ReceivedSpan[] {
  const message = ofTraces.ExportTraceServiceRequest!;
  const { resourceSpans } = message.toObject(message.decode(bytes), readable) as unknown as Received;
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        traceId: hex(span.traceId),
        spanId: hex(span.spanId),
        parentSpanId: hex(span.parentSpanId),
        name: span.name,
        kind: span.kind.replace('SPAN_KIND_', ''),
        traceState: span.traceState ?? '',
        start: BigInt(span.startTimeUnixNano),
        end: BigInt(span.endTimeUnixNano),
        attributes: valuesOf(span.attributes),
        links: span.links.map((link) => ({ traceId: hex(link.traceId), spanId: hex(link.spanId) })),
        status: (span.status?.code ?? '').replace('STATUS_CODE_', ''),
        words: span.status?.message || undefined,
        resource: valuesOf(resource.attributes),
      })),
    ),
  );
}

type Bytes = number[];
interface Pair {
  key: string;
  value: {
    stringValue?: string;
    intValue?: string;
    doubleValue?: number;
    boolValue?: boolean;
    arrayValue?: { values: Pair['value'][] };
  };
}
interface Received {
  resourceSpans: {
    resource: { attributes: Pair[] };
    scopeSpans: {
      spans: {
        traceId: Bytes;
        spanId: Bytes;
        parentSpanId: Bytes;
        traceState?: string;
        name: string;
        kind: string;
        startTimeUnixNano: string;
        endTimeUnixNano: string;
        attributes: Pair[];
        links: { traceId: Bytes; spanId: Bytes }[];
        status?: { code: string; message: string };
      }[];
    }[];
  }[];
}
const hex = (bytes: Bytes): string => Buffer.from(bytes).toString('hex');
const valuesOf = (pairs: Pair[]): Values => Object.fromEntries(pairs.map(({ key, value }) => [key, asValue(value)]));
function asValue(value: Pair['value']): unknown {
  if (value.arrayValue) return value.arrayValue.values.map(asValue);
  if (value.intValue !== undefined && value.intValue !== null) return Number(value.intValue);
  return value.stringValue ?? value.doubleValue ?? value.boolValue;
}

/** Returns what is wrong with spans as a whole: ids that are none, spans of an id that differ, parents that are missing, times that run backwards. */
export function problemsOf(spans: readonly ReceivedSpan[], outside: ReadonlySet<string> = new Set()): string[] {
  const known = new Map<string, ReceivedSpan>();
  const problems: string[] = [];
  const shown = (span: ReceivedSpan) =>
    JSON.stringify(span, (_, value) => (typeof value === 'bigint' ? value.toString() : value));
  for (const span of spans) {
    const twin = known.get(span.spanId);
    if (twin && shown(twin) !== shown(span)) problems.push(`${span.name}: two spans have the id ${span.spanId}`);
    known.set(span.spanId, span);
    if (!/^[0-9a-f]{32}$/.test(span.traceId) || /^0+$/.test(span.traceId)) problems.push(`${span.name}: no trace id`);
    if (!/^[0-9a-f]{16}$/.test(span.spanId) || /^0+$/.test(span.spanId)) problems.push(`${span.name}: no id`);
    if (span.start > span.end) problems.push(`${span.name}: it ends before it starts`);
  }
  for (const { name, traceId, parentSpanId } of known.values()) {
    if (parentSpanId === '' || outside.has(parentSpanId)) continue;
    if (known.get(parentSpanId)?.traceId !== traceId) problems.push(`${name}: its parent ${parentSpanId} is not there`);
  }
  return problems;
}
