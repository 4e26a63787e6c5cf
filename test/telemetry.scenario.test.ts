import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idsOfContext, segmentSpanId } from '../core/base/state/trace';
import { tokenFor } from './support/api-client';
import type { Conversation } from './support/api-types';
import { scenarioSources, scenarioVariables, synthesized } from './support/clouds/synthesized';
import { startVigil, type Vigil } from './support/clouds/vigil';
import type { ChatRequest, Reply } from './support/servers/model-server';
import { type OtlpReceiver, problemsOf, type ReceivedSpan, startOtlpReceiver } from './support/servers/otlp-receiver';
import { reminderStory, wish } from './support/stories/reminder-story';
import { call } from './support/stories/transcript';

// What a backend of traces gets of whole stories: each piece of work is one span, whatever dies.

const caller = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', tracestate: 'congo=t61' };
const outside = new Set([idsOfContext(caller).spanId]);
const folder = mkdtempSync(join(tmpdir(), 'vigil-telemetry-'));

let backend: OtlpReceiver;
let vigil: Vigil;
beforeAll(async () => {
  const on = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
  await synthesized(folder, scenarioSources, { ...process.env, ...scenarioVariables, ...on });
  backend = await startOtlpReceiver();
}, 120_000);
beforeEach(() => {
  backend.spans.length = 0;
  backend.requests.length = 0;
});
afterEach(() => vigil?.stop());
afterAll(async () => {
  await backend?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(script: Parameters<Vigil['model']['script']>[0]): Promise<void> {
  const variables = {
    OTEL_EXPORTER_OTLP_ENDPOINT: backend.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=secret',
    VIGIL_TRACES: 'run',
  };
  vigil = await startVigil({ deployment: folder, variables });
  vigil.model.script(script as never);
}

/** Starts a conversation as an app that traces its own requests. */
async function startTraced(agent: string, text: string): Promise<string> {
  const token = await tokenFor(vigil.url, vigil.idOf('ada'));
  const answer = await fetch(`${vigil.url}/conversations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...caller },
    body: JSON.stringify({ agent, text }),
  });
  return ((await answer.json()) as Conversation).id;
}

const distinct = () => new Map(backend.spans.map((span) => [span.spanId, span]));
const namesOf = (spans: Iterable<ReceivedSpan>) => [...spans].map(({ name }) => name).sort();
/** @throws after a minute without so many different spans. */
async function spansOf(many: number): Promise<ReceivedSpan[]> {
  for (let attempt = 0; attempt < 1_200 && distinct().size < many; attempt++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const spans = [...distinct().values()];
  if (spans.length !== many) throw new Error(`${spans.length} spans, not ${many}: ${namesOf(spans).join(', ')}`);
  return spans;
}

const story = [
  'chat test-model',
  'chat test-model',
  'chat test-model',
  'chat test-model',
  'execute_tool current_time',
  'execute_tool reminder',
  'execute_tool schedule',
  'invoke_agent reminder',
];
const withModel = (names: string[], model: string) => names.map((name) => name.replace('test-model', model));
const seconds = ({ start: from, end }: ReceivedSpan) => Number((end - from) / 1_000_000n) / 1_000;

describe('a run that sleeps for weeks', () => {
  const inWeeks = ({ messages, ...request }: ChatRequest): Reply => {
    const reply = reminderStory({ messages, ...request } as ChatRequest);
    const at = reply.toolCalls?.[0]?.name === 'schedule' ? new Date(nextAt).toISOString() : undefined;
    return at ? { ...reply, ...call('call_sleep', 'schedule', { at }) } : reply;
  };
  let nextAt = 0;

  test('is one trace, that of its caller; while it sleeps nothing is open, and its end is in it (R239, R240)', async () => {
    await start(inWeeks);
    nextAt = (await vigil.now()).getTime() + 30 * 86_400_000;
    const id = await startTraced('reminder', wish);
    const ada = await vigil.user();
    await ada.asleep(id);
    const before = await spansOf(3);
    expect(namesOf(before).filter((name) => name.startsWith('invoke_agent'))).toEqual([]);
    await vigil.advance('P31D');
    const { run } = await (await vigil.user()).finished(id);
    const spans = await spansOf(8);
    const model = String(spans.find(({ name }) => name.startsWith('chat'))!.attributes['gen_ai.request.model']);
    expect(namesOf(spans)).toEqual(withModel(story, model));
    expect(problemsOf(backend.spans, outside)).toEqual([]);
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([idsOfContext(caller).traceId]));
    expect(backend.spans).toHaveLength(8);
    const sleep = spans.find(({ name }) => name === 'execute_tool schedule')!;
    expect(seconds(sleep)).toBeGreaterThan(29 * 86_400);
    const agent = spans.find(({ name }) => name === 'invoke_agent reminder')!;
    expect(agent).toMatchObject({
      parentSpanId: idsOfContext(caller).spanId,
      spanId: segmentSpanId({ conversationId: id, runId: run!.id, segment: 1 }),
    });
    for (const span of spans)
      if (span !== agent)
        expect([span.parentSpanId, span.attributes['gen_ai.conversation.id']]).toEqual([agent.spanId, id]);
    expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toMatch(/example\.org|I will/);
    expect(backend.requests.every(({ headers }) => headers['x-key'] === 'secret')).toBe(true);
  });
});

test('kill -9 of everything between the commit and the sending loses no span (R239)', async () => {
  await start(() => ({ text: 'All of it.' }));
  await vigil.fault({ function: 'Telemetry', kind: 'kill', at: 'before' });
  await (await vigil.user()).start('tester', 'Tell me').catch(() => undefined);
  await vigil.kill();
  await vigil.restart();
  await vigil.advanceUntil(async () => distinct().size === 2);
  expect(problemsOf(backend.spans)).toEqual([]);
});

test('a tool gets the place of its attempt in the trace, and a sub-agent works in the trace of who asked it (R240)', async () => {
  const isWorker = ({ messages }: ChatRequest) => JSON.stringify(messages).includes('You are the worker');
  await start((request: ChatRequest): Reply => {
    const isAnswered = request.messages.at(-1)!.role === 'tool';
    if (isWorker(request)) return isAnswered ? { text: 'It is done.' } : call('t', 'current_time', {});
    return isAnswered ? { text: 'Thanks.' } : call('d', 'delegate', { agent: 'worker', task: 'Count the sheep' });
  });
  const id = await startTraced('boss', 'Let it be done');
  await (await vigil.user()).finished(id);
  const spans = await spansOf(8);
  expect(problemsOf(spans, outside)).toEqual([]);
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([idsOfContext(caller).traceId]));
  const named = (name: string) => spans.find((span) => span.name === name)!;
  expect(named('invoke_agent worker').parentSpanId).toBe(named('execute_tool delegate').spanId);

  backend.spans.length = 0;
  const nowhere = { table: 'none', conversation: 'none', function: 'none' };
  vigil.model.script([call('c', 'stranger', { way: 'throw once', ...nowhere }), { text: 'So be it.' }]);
  const asked = await startTraced('tester', 'Go');
  await vigil.advanceUntil(async () => (await (await vigil.user()).read(asked)).status === 'done');
  const { calls } = await (await vigil.user()).read(asked);
  const { trace } = JSON.parse((calls[0]!.result as { said: string }).said);
  const attempts = (await spansOf(5)).filter(({ name }) => name === 'execute_tool stranger');
  expect(attempts.map(({ attributes }) => attributes['vigil.attempt']).sort()).toEqual([1, 2]);
  const second = attempts.find(({ attributes }) => attributes['vigil.attempt'] === 2)!;
  expect(trace).toEqual({ traceparent: `00-${second.traceId}-${second.spanId}-01`, tracestate: 'congo=t61' });
});
