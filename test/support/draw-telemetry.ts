import { resourceFromAttributes } from '@opentelemetry/resources';
import { shipped } from '../../agents';
import { conventions } from '../../modules/telemetry/conventions';
import type { CallFact, ChatFact, SegmentFact } from '../../modules/telemetry/facts';
import { type Span, spansOf } from '../../modules/telemetry/spans';

/** The reminder's story as facts: three steps, of which the first model call is made twice, and a sleep of three weeks. */
const day = (number: number, time: string) => `2030-01-${String(number).padStart(2, '0')}T${time}.000Z`;
const of = { conversationId: 'c', runId: 'r', segment: 1, agent: 'reminder' };
const usage = { modelCalls: 1, toolCalls: 0, inputTokens: 900, outputTokens: 40, costMicrodollars: 1_500 };
const cached = { cachedInputTokens: 600, cacheWriteTokens: 100, reasoningTokens: 10 };
const chat = (step: number, startedAt: string, endedAt: string, more: Partial<ChatFact> = {}): ChatFact => ({
  kind: 'chat',
  ...of,
  seq: step + 1,
  step,
  attempt: 1,
  status: 'complete',
  model: 'gpt-6.1-terra',
  calls: 1,
  usage: { ...usage, ...cached },
  startedAt,
  endedAt,
  ...more,
});
const call = (step: number, tool: string, startedAt: string, endedAt: string): CallFact => ({
  kind: 'call',
  ...of,
  callId: `r.0000${step}.00`,
  modelCallId: 'call_1',
  step,
  tool,
  toolKind: 'function',
  status: 'completed',
  attempts: 1,
  calledAt: startedAt,
  startedAt,
  endedAt,
});
const failedAttempts = [
  { attempt: 1, startedAt: day(1, '09:00:00'), endedAt: day(1, '09:00:01'), error: "The model's server failed (503)." },
];
const end: SegmentFact = {
  kind: 'segment',
  ...of,
  status: 'done',
  startedAt: day(1, '09:00:00'),
  endedAt: day(22, '08:00:07'),
};
const facts = [
  chat(1, day(1, '09:00:03'), day(1, '09:00:05'), { attempt: 2, failedAttempts }),
  call(1, 'schedule', day(1, '09:00:05'), day(22, '08:00:00')),
  chat(2, day(22, '08:00:01'), day(22, '08:00:03')),
  call(2, 'reminder', day(22, '08:00:04'), day(22, '08:00:05')),
  chat(3, day(22, '08:00:05'), day(22, '08:00:07'), { calls: 0 }),
  end,
];

const spansOfStory = (): Span[] =>
  facts.flatMap((fact) => spansOf({ scope: 'run', registry: shipped, resource: resourceFromAttributes({}) }, fact));

/** Returns the page with the picture of a trace and the table of attributes, as the code makes spans. */
export function drawnTelemetry(document: string): string {
  const spans = spansOfStory();
  const drawn = [
    ['picture', picture(spans)],
    ['attributes', attributes(spans)],
    ['version', version()],
  ] as const;
  return drawn.reduce((page, [mark, content]) => {
    const [open, close] = [`<!-- ${mark} -->`, `<!-- end of ${mark} -->`];
    const [head, rest] = page.split(open);
    const tail = rest?.split(close)[1];
    if (tail === undefined) throw new Error(`The document lacks ${open} … ${close}.`);
    return `${head}${open}\n\n${content}\n\n${close}${tail}`;
  }, document);
}

function picture(spans: Span[]): string {
  const ids = new Map(spans.map((span, index) => [span.spanContext().spanId, `s${index}`]));
  const shown = ({ name, startTime, endTime, attributes: { 'vigil.attempt': attempt, 'error.type': error } }: Span) => {
    const seconds = endTime[0] - startTime[0];
    const lasts = seconds < 86_400 ? `${seconds} s` : `${Math.floor(seconds / 86_400)} days`;
    const which = error ? `, attempt ${attempt}: ${error}` : Number(attempt) > 1 ? `, attempt ${attempt}` : '';
    return `"${name}<br>${lasts}${which}"`;
  };
  const boxes = spans.map((span) => `  ${ids.get(span.spanContext().spanId)}[${shown(span)}]`);
  const arrows = spans.flatMap((span) => {
    const parent = ids.get(span.parentSpanContext?.spanId ?? '');
    return parent ? [`  ${parent} --> ${ids.get(span.spanContext().spanId)}`] : [];
  });
  return ['```mermaid', 'flowchart LR', ...boxes.slice(-1), ...boxes.slice(0, -1), ...arrows, '```'].join('\n');
}

function attributes(spans: Span[]): string {
  const kinds = ['invoke_agent', 'chat', 'execute_tool'];
  const on = (kind: string) =>
    new Set(spans.filter(({ name }) => name.startsWith(kind)).flatMap((span) => Object.keys(span.attributes)));
  const sets = kinds.map(on);
  const all = [...new Set(sets.flatMap((set) => [...set]))].sort();
  const row = (name: string) => `| \`${name}\` | ${sets.map((set) => (set.has(name) ? '✓' : '')).join(' | ')} |`;
  return [
    `| attribute | ${kinds.map((kind) => `\`${kind}\``).join(' | ')} |`,
    '|---|---|---|---|',
    ...all.map(row),
  ].join('\n');
}

const version = (): string =>
  `The spans follow version ${conventions.version} of [the conventions](https://github.com/open-telemetry/${conventions.of}), which are in development, so the names change with ` +
  `Vigil's version.`;
