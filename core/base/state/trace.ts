import { createHash } from 'node:crypto';
import * as z from 'zod';

/**
 * Where a unit of work is in a trace, by W3C Trace Context (https://www.w3.org/TR/trace-context/). Ids derive from the rows, so that every
 * process names the same span alike, and a span that is sent twice is one span.
 */
export const TraceContext = z.object({
  /** `00-<trace id>-<span id>-<flags>` */
  traceparent: z.string(),
  /** What the caller's tracing systems add, as they sent it. */
  tracestate: z.string().optional(),
});
export type TraceContext = z.infer<typeof TraceContext>;

/**
 * What one trace has: a `run`, with all that its caller traces; a whole `conversation`; or a `segment` of a run, with a link to the one
 * before, for backends that do not take spans of a trace that is weeks old.
 */
export const TraceScope = z.enum(['run', 'conversation', 'segment']);
export type TraceScope = z.infer<typeof TraceScope>;

/** The part of a trace's context that a message and a call keep. */
export const StoredTrace = z.object({
  /** The segment of the run; absent for the first. */
  segment: z.number().int().optional(),
  /** The context of the request that began the run. */
  caller: TraceContext.optional(),
});
export type StoredTrace = z.infer<typeof StoredTrace>;

/** A segment of a run, and the context of the request that began the run. */
export interface TracedSegment {
  conversationId: string;
  runId: string;
  segment: number;
  caller?: TraceContext;
}

const traceparentOf = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const tracestateBytes = 512;
const tracestateMembers = 32;
const memberOf =
  /^(?:[a-z][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/**
 * Returns the context in the headers of a request; undefined if there is none, or it is not valid. As the standard says, an invalid
 * `traceparent` is no error, and an invalid `tracestate` is left out. A later version of the standard is read as this one.
 */
export function traceContextIn(traceparent: unknown, tracestate?: unknown): TraceContext | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const [, version, traceId, spanId, flags, rest] = traceparentOf.exec(traceparent.trim()) ?? [];
  if (!traceId || version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId!)) return undefined;
  // Of a later version, only the flag `sampled` is known.
  const known = version === '00' ? flags : (Number.parseInt(flags!, 16) & 1).toString().padStart(2, '0');
  const state = tracestateIn(tracestate);
  return { traceparent: `00-${traceId}-${spanId}-${known}`, ...(state && { tracestate: state }) };
}

function tracestateIn(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined;
  const members = given
    .split(',')
    .map((member) => member.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter((member) => member !== '');
  const keys = new Set(members.map((member) => member.split('=')[0]));
  const isValid = members.every((member) => memberOf.test(member)) && keys.size === members.length;
  const joined = members.join(',');
  if (!isValid || members.length === 0 || members.length > tracestateMembers) return undefined;
  return Buffer.byteLength(joined) > tracestateBytes ? undefined : joined;
}

/** Returns the ids in a valid context. */
export function idsOfContext({ traceparent }: TraceContext): { traceId: string; spanId: string } {
  const [, traceId, spanId] = traceparent.split('-');
  return { traceId: traceId!, spanId: spanId! };
}

export function traceIdOf(scope: TraceScope, { conversationId, runId, segment, caller }: TracedSegment): string {
  if (scope === 'conversation') return derived(16, 'conversation', conversationId);
  if (scope === 'segment' && segment > 1) return derived(16, 'segment', runId, segment);
  return caller ? idsOfContext(caller).traceId : derived(16, 'run', conversationId, runId);
}

export const segmentSpanId = ({ conversationId, runId, segment }: Omit<TracedSegment, 'caller'>): string =>
  derived(8, 'segment', conversationId, runId, segment);

/** @param seq the step's message: a step that is made again after a fork has another one. */
export const chatSpanId = (conversationId: string, seq: number, attempt: number): string =>
  derived(8, 'chat', conversationId, seq, attempt);

/** @param attempt from 1. A call that never ran has one span, with the number 1. */
export const callSpanId = (conversationId: string, callId: string, attempt: number): string =>
  derived(8, 'call', conversationId, callId, Math.max(1, attempt));

export const undoSpanId = (conversationId: string, callId: string): string =>
  derived(8, 'undo', conversationId, callId);

/**
 * Returns the context that an attempt at a call passes on: to its tool, to what the tool asks, and to a sub-agent's run. Without traces of
 * its own, the deployment passes on what it got.
 *
 * @param scope undefined if the deployment exports no traces.
 */
export function contextOfCall(
  scope: TraceScope | undefined,
  at: TracedSegment,
  { callId, attempt }: { callId: string; attempt: number },
): TraceContext | undefined {
  const { caller } = at;
  if (!scope) return caller;
  const traceId = traceIdOf(scope, at);
  const spanId = callSpanId(at.conversationId, callId, attempt);
  const isCallers = caller !== undefined && idsOfContext(caller).traceId === traceId;
  return {
    traceparent: `00-${traceId}-${spanId}-01`,
    ...(isCallers && caller.tracestate && { tracestate: caller.tracestate }),
  };
}

/** Returns what a message or a call of this segment keeps; undefined for nothing, as in most runs. */
export function storedTrace(segment: number, caller: TraceContext | undefined): StoredTrace | undefined {
  if (segment === 1 && !caller) return undefined;
  return { ...(segment > 1 && { segment }), ...(caller && { caller }) };
}

/** Returns the segment that a message or a call belongs to. */
export const tracedBy = (
  conversationId: string,
  { runId, trace: { segment = 1, caller } = {} }: { runId: string; trace?: StoredTrace },
): TracedSegment => ({ conversationId, runId, segment, caller });

/** An id of zeros is none. A digest has no zeros alone in practice. */
function derived(bytes: 8 | 16, ...parts: (string | number)[]): string {
  return createHash('sha256')
    .update(JSON.stringify(['vigil', ...parts]))
    .digest('hex')
    .slice(0, bytes * 2);
}
