import {
  type Attributes,
  type HrTime,
  type Link,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
} from '@opentelemetry/api';
import type { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { Resource } from '@opentelemetry/resources';
import { modelsOf } from '../../core/base/models/provider';
import type { FailedAttempt } from '../../core/base/state/failed-attempts';
import {
  callSpanId,
  chatSpanId,
  idsOfContext,
  segmentSpanId,
  type TraceScope,
  traceIdOf,
  undoSpanId,
} from '../../core/base/state/trace';
import type { Agent } from '../../core/conversations/agent/agent';
import { type Registry, versionOf } from '../../core/conversations/agent/registry';
import { errorTypes, scope as instrumentation, names, operations, ownNames, providerName } from './conventions';
import type { CallFact, ChatFact, Fact, SegmentFact } from './facts';

export type Span = Parameters<typeof ProtobufTraceSerializer.serializeRequest>[0][number];

/** What people and models wrote, as attributes, and the words of an error. Absent unless the deployment turns content on. */
export interface Content {
  attributes: Attributes;
  words(text: string): string;
}

export interface Making {
  scope: TraceScope;
  registry: Registry;
  resource: Resource;
}

/**
 * Returns the spans of a fact: its own, and one for each failed attempt before it. They depend on the fact alone, so that a fact that comes
 * again has the same spans.
 */
export function spansOf(making: Making, fact: Fact, content?: Content): Span[] {
  if (fact.kind === 'segment') return [segmentSpan(making, fact)];
  return fact.kind === 'chat' ? chatSpans(making, fact, content) : callSpans(making, fact, content);
}

interface Described {
  name: string;
  id: string;
  kind: SpanKind;
  startedAt: string;
  endedAt: string;
  attributes: Attributes;
  error?: string;
  /** The words of the error. */
  words?: string;
  parent?: SpanContext;
  links?: Link[];
}

function spanOf({ scope, resource }: Making, fact: Fact, described: Described): Span {
  const { name, id, kind, startedAt, endedAt, attributes, error, words, parent, links = [] } = described;
  const context = contextOf(traceIdOf(scope, fact), id);
  const began = scope === 'segment' ? atMostBefore(endedAt, startedAt) : startedAt;
  return {
    name,
    kind,
    resource,
    links,
    instrumentationScope: instrumentation,
    events: [],
    spanContext: () => context,
    parentSpanContext: parent,
    startTime: timeOf(began),
    endTime: timeOf(endedAt),
    duration: between(began, endedAt),
    ended: true,
    status: error ? { code: SpanStatusCode.ERROR, message: words } : { code: SpanStatusCode.UNSET },
    attributes: defined({
      ...attributes,
      [names.conversation]: fact.conversationId,
      [ownNames.run]: fact.runId,
      [ownNames.segment]: fact.segment,
      [names.errorType]: error,
      [ownNames.startedAt]: began === startedAt ? undefined : startedAt,
    }),
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

/**
 * Backends that limit the age of a trace refuse spans that have begun long ago, and with them the request: CloudWatch after 14 days, and spans
 * of one request that are more than a day apart. So a span of a wait begins later there, and says when it really began.
 */
const longestMs = 12 * 3_600_000;
function atMostBefore(endedAt: string, startedAt: string): string {
  const earliest = new Date(Date.parse(endedAt) - longestMs).toISOString();
  return startedAt < earliest ? earliest : startedAt;
}

const defined = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));

function chatSpans(making: Making, fact: ChatFact, content?: Content): Span[] {
  const agent = making.registry.agents.get(fact.agent);
  const choice = agent && modelsOf(agent.model).find(({ name }) => name === fact.model);
  const model = fact.model ?? agent?.model.name;
  const about: Attributes = {
    [names.operation]: operations.chat,
    [names.provider]: providerName(choice ? choice.provider : agent?.model.provider),
    [names.requestModel]: model,
    [names.maxTokens]: choice?.maxOutputTokens,
    [names.temperature]: choice?.temperature,
    [names.effort]: choice?.effort,
    ...(agent?.output && { [names.outputType]: 'json' }),
    ...(!fact.background && { [names.stream]: true }),
    ...ofAgent(fact.agent, agent, fact.agentVersion),
    [ownNames.step]: fact.step,
  };
  const shared = {
    name: `${operations.chat} ${model ?? ''}`.trim(),
    kind: SpanKind.CLIENT,
    parent: parentOf(making, fact),
  };
  const one = (attempt: number, rest: Pick<Described, 'startedAt' | 'endedAt' | 'error' | 'words'>, more: Attributes) =>
    spanOf(making, fact, {
      ...shared,
      ...rest,
      id: chatSpanId(fact.conversationId, fact.seq, attempt),
      attributes: { ...about, ...more, [ownNames.attempt]: attempt },
    });
  const { failedAttempts = [], attempt, status, startedAt, endedAt } = fact;
  const failed = failedAttempts.filter((other) => other.attempt !== attempt || status === 'error');
  const isListed = failed.some((other) => other.attempt === attempt);
  return [
    ...failed.flatMap((other) => attemptSpan(other, content, (rest) => one(other.attempt, rest, failedReply))),
    ...(isListed
      ? []
      : [one(attempt, { startedAt, endedAt, ...errorOfReply(fact) }, { ...replied(fact), ...content?.attributes })]),
  ];
}

const failedReply: Attributes = { [names.finishReasons]: ['error'] };

/** A reply that is cut off by its people is no error of the model. */
const errorOfReply = ({ status }: ChatFact) => (status === 'error' ? { error: errorTypes.other } : {});

function replied({ usage, status, calls, cutOff, background, compacts }: ChatFact): Attributes {
  const reason = status === 'complete' ? (cutOff ?? (calls > 0 ? 'tool_calls' : 'stop')) : 'error';
  return {
    [names.finishReasons]: [reason],
    ...(compacts && { [names.compacted]: true }),
    ...(background && { [ownNames.background]: true }),
    ...(usage && {
      [names.inputTokens]: usage.inputTokens,
      [names.outputTokens]: usage.outputTokens,
      [names.cacheRead]: usage.cachedInputTokens,
      [names.cacheWrite]: usage.cacheWriteTokens,
      [names.reasoning]: usage.reasoningTokens,
      // A model without a price costs 0 here, which is not known.
      ...(!usage.unpricedCalls && { [ownNames.cost]: usage.costMicrodollars / 1_000_000 }),
    }),
  };
}

function callSpans(making: Making, fact: CallFact, content?: Content): Span[] {
  const { callId, modelCallId, step, attempts, status, startedAt, endedAt, calledAt, conversationId } = fact;
  const tool = making.registry.tools.get(fact.tool);
  const server = tool?.kind === 'function' ? tool.server : undefined;
  const about: Attributes = {
    [names.operation]: operations.tool,
    [names.toolName]: fact.tool,
    [names.toolType]: 'function',
    [names.toolDescription]: tool?.description,
    [names.toolCallId]: modelCallId,
    ...ofAgent(fact.agent, making.registry.agents.get(fact.agent)),
    // One span for the tool and the request to its server, as the conventions ask.
    ...(server && { [names.mcpMethod]: 'tools/call', [names.transport]: 'tcp', [names.protocol]: 'http' }),
    [ownNames.step]: step,
    [ownNames.call]: callId,
  };
  const shared = {
    name: `${operations.tool} ${fact.tool}`,
    kind: server ? SpanKind.CLIENT : SpanKind.INTERNAL,
    parent: parentOf(making, fact),
  };
  if (status === 'undone') {
    const undone = { startedAt, endedAt, id: undoSpanId(conversationId, callId) };
    return [spanOf(making, fact, { ...shared, ...undone, attributes: { ...about, [ownNames.status]: status } })];
  }
  const attempt = Math.max(1, attempts);
  const one = (number: number, rest: Pick<Described, 'startedAt' | 'endedAt' | 'error' | 'words'>, more: Attributes) =>
    spanOf(making, fact, {
      ...shared,
      ...rest,
      id: callSpanId(conversationId, callId, number),
      attributes: { ...about, ...more, [ownNames.attempt]: number },
    });
  const failed = (fact.failedAttempts ?? []).filter((other) => other.attempt < attempt);
  const last = fact.failedAttempts?.find((other) => other.attempt === attempt);
  const waited = Math.max(0, Date.parse(startedAt) - Date.parse(calledAt)) / 1_000;
  const error =
    status === 'completed' || status === 'cancelled'
      ? undefined
      : errorTypes[status === 'unknown' ? 'unknown' : 'failed'];
  return [
    ...failed.flatMap((other) => attemptSpan(other, content, (rest) => one(other.attempt, rest, {}))),
    one(
      attempt,
      { startedAt, endedAt, ...(error && { error, words: content && last && content.words(last.error) }) },
      {
        [ownNames.status]: status,
        [ownNames.attempts]: attempts,
        ...(failed.length === 0 && waited > 0 && { [ownNames.waited]: waited }),
        ...content?.attributes,
      },
    ),
  ];
}

/** Of an attempt whose process died, nobody has seen the end. */
function attemptSpan(
  { startedAt, endedAt, error }: FailedAttempt,
  content: Content | undefined,
  make: (rest: Pick<Described, 'startedAt' | 'endedAt' | 'error' | 'words'>) => Span,
): Span[] {
  const began = startedAt ?? endedAt;
  if (!began) return [];
  const ended = endedAt && endedAt > began ? endedAt : began;
  const [, status] = /\((\d{3})\)/.exec(error) ?? [];
  return [make({ startedAt: began, endedAt: ended, error: status ?? errorTypes.other, words: content?.words(error) })];
}

function segmentSpan(making: Making, fact: SegmentFact): Span {
  const { scope, registry } = making;
  const { conversationId, runId, segment, caller, status, startedAt, endedAt } = fact;
  const agent = registry.agents.get(fact.agent);
  const earlier = (number: number) => {
    const at = { ...fact, segment: number };
    return contextOf(traceIdOf(scope, at), segmentSpanId({ conversationId, runId, segment: number }));
  };
  const callers = caller && { ...idsOfContext(caller), traceFlags: 1, isRemote: true };
  const isCallers = callers?.traceId === traceIdOf(scope, fact);
  // All segments are children of the first, where that is in the same trace.
  const parent = segment > 1 ? (scope === 'segment' ? undefined : earlier(1)) : isCallers ? callers : undefined;
  const links = segment > 1 ? [{ context: earlier(segment - 1) }] : callers && !isCallers ? [{ context: callers }] : [];
  const error = status === 'failed' || status === 'limited' ? errorTypes[status] : undefined;
  return spanOf(making, fact, {
    name: `${operations.agent} ${fact.agent}`,
    kind: SpanKind.INTERNAL,
    id: segmentSpanId({ conversationId, runId, segment }),
    startedAt,
    endedAt,
    parent,
    links,
    error,
    attributes: {
      [names.operation]: operations.agent,
      [names.provider]: providerName(agent?.model.provider),
      [names.requestModel]: agent?.model.name,
      [names.agentDescription]: agent?.purpose,
      ...ofAgent(fact.agent, agent),
      [ownNames.status]: status,
    },
  });
}

const ofAgent = (name: string, agent: Agent | undefined, version = agent && versionOf(agent)): Attributes => ({
  [names.agentName]: name,
  [names.agentVersion]: version,
});

const parentOf = ({ scope }: Making, fact: ChatFact | CallFact): SpanContext =>
  contextOf(traceIdOf(scope, fact), segmentSpanId(fact));

const contextOf = (traceId: string, spanId: string): SpanContext => ({ traceId, spanId, traceFlags: 1 });

function timeOf(at: string): HrTime {
  const ms = Date.parse(at);
  return [Math.floor(ms / 1_000), (ms % 1_000) * 1_000_000];
}

function between(startedAt: string, endedAt: string): HrTime {
  const ms = Date.parse(endedAt) - Date.parse(startedAt);
  return [Math.floor(ms / 1_000), (ms % 1_000) * 1_000_000];
}
