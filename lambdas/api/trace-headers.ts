import type { HonoRequest } from 'hono';
import { type TraceContext, traceContextIn } from '../../core/base/state/trace';

/** Returns the trace context of a request, by W3C Trace Context; undefined if it has none that is valid. */
export const callerIn = (request: HonoRequest): TraceContext | undefined =>
  traceContextIn(request.header('traceparent'), request.header('tracestate'));
