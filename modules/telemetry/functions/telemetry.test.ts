import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { segmentSpanId, traceIdOf } from '../../../core/base/state/trace';
import { key } from '../../../core/conversations/rows/keys';
import { type Table, write } from '../../../core/conversations/store/table';
import { loggedLines } from '../../../test/support/logged';
import { storedCall } from '../../../test/support/page/rows';
import { type OtlpReceiver, problemsOf, startOtlpReceiver } from '../../../test/support/servers/otlp-receiver';
import { startTable } from '../../../test/support/tables/table';
import type { Fact } from '../facts';

let mockTable: Table & { stop(): Promise<void> };
let mockHeaders: string | undefined;
jest.mock('../../../runtime/environment', () => ({
  ...jest.requireActual('../../../runtime/environment'),
  tableOfDeployment: () => mockTable,
}));
jest.mock('../../../runtime/secret', () => ({
  secret: () => ({ find: async () => mockHeaders, forget: () => undefined }),
}));
// The lines of a function that is loaded again are those of the first.
jest.mock('../../../runtime/log', () => {
  const kept = globalThis as { log?: object };
  kept.log ??= jest.requireActual<object>('../../../runtime/log');
  return kept.log;
});
// The pauses between attempts.
jest.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const lines = loggedLines();
let backend: OtlpReceiver;
let send: (...facts: Fact[]) => Promise<void>;

let started: string | undefined;

async function start(variables: Record<string, string> = {}): Promise<void> {
  if (started === JSON.stringify(variables)) return;
  started = JSON.stringify(variables);
  Object.assign(process.env, {
    OTEL_EXPORTER_OTLP_ENDPOINT: `${backend.url}/`,
    STACK_NAME: 'Shop',
    VIGIL_TRACES: 'run',
    VIGIL_TELEMETRY_CONTENT: '',
    ...variables,
  });
  jest.resetModules();
  const { handler } = await import('./telemetry');
  send = (...facts) => handler({ facts }, undefined as never);
}
let number = 0;
beforeAll(async () => {
  [mockTable, backend] = await Promise.all([startTable(), startOtlpReceiver()]);
});
beforeEach(() => {
  for (const list of [backend.spans, backend.requests, lines]) list.length = 0;
  mockHeaders = undefined;
  // What has been sent stays recorded.
  number += 1;
});
afterAll(() => Promise.all([mockTable.stop(), backend.stop()]));

const at = (seconds: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, seconds)).toISOString();
const usage = { modelCalls: 1, toolCalls: 0, inputTokens: 1_200, outputTokens: 80, costMicrodollars: 4_500 };
const shared = () => ({ conversationId: `c${number}`, runId: `r${number}`, segment: 1, agent: 'reminder' });
const chat = (more: object = {}): Fact =>
  ({
    kind: 'chat',
    ...shared(),
    seq: 2,
    step: 1,
    attempt: 1,
    status: 'complete',
    model: 'gpt-6.1-terra',
    calls: 1,

    usage: { ...usage, cachedInputTokens: 1_000, reasoningTokens: 20 },
    startedAt: at(1),
    endedAt: at(3),
    ...more,
  }) as Fact;
const call = (more: object = {}): Fact =>
  ({
    kind: 'call',
    ...shared(),
    callId: `r${number}.00001.00`,
    modelCallId: 'call_7',
    step: 1,
    tool: 'current_time',

    toolKind: 'function',
    status: 'completed',
    attempts: 1,
    calledAt: at(3),
    startedAt: at(4),
    endedAt: at(5),
    ...more,
  }) as Fact;
const segment = (more: object = {}): Fact =>
  ({ kind: 'segment', ...shared(), status: 'done', startedAt: at(0), endedAt: at(9), ...more }) as Fact;
const named = (name: string) => backend.spans.filter((span) => span.name === name);
const counted = () =>
  lines.filter((line) => ['SpansSent', 'SpansWaiting', 'SpansLost'].some((name) => Object.hasOwn(line, name)));

test('a run is a trace: its agent, and in it the replies and the calls, by the conventions (R239)', async () => {
  await start();
  mockHeaders = 'Authorization=Basic%20abc,x-scope=a%2Cb';
  await send(chat(), call(), segment());
  expect(problemsOf(backend.spans)).toEqual([]);
  expect(backend.requests).toMatchObject([{ headers: { authorization: 'Basic abc', 'x-scope': 'a,b' } }]);
  const [agent] = named('invoke_agent reminder');
  expect(agent).toMatchObject({
    kind: 'INTERNAL',
    parentSpanId: '',
    status: 'UNSET',
    resource: { 'service.name': 'vigil', 'service.namespace': 'Shop' },
    traceId: traceIdOf('run', shared()),
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'reminder',
      'gen_ai.provider.name': 'openai',
      'gen_ai.conversation.id': `c${number}`,
      'vigil.run.id': `r${number}`,
      'vigil.status': 'done',
    },
  });
  const parentSpanId = agent!.spanId;
  expect(named('chat gpt-6.1-terra')).toMatchObject([
    {
      kind: 'CLIENT',
      parentSpanId,
      end: BigInt(Date.parse(at(3))) * 1_000_000n,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'gpt-6.1-terra',
        'gen_ai.provider.name': 'openai',
        'gen_ai.usage.input_tokens': 1_200,
        'gen_ai.usage.output_tokens': 80,
        'gen_ai.usage.cost': 0.0045,
        'gen_ai.usage.cache_read.input_tokens': 1_000,
        'gen_ai.usage.reasoning.output_tokens': 20,
        'gen_ai.response.finish_reasons': ['tool_calls'],
        'vigil.attempt': 1,
        'vigil.step': 1,
      },
    },
  ]);
  expect(named('execute_tool current_time')).toMatchObject([
    {
      kind: 'INTERNAL',
      parentSpanId,
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'current_time',
        'gen_ai.tool.call.id': 'call_7',
        'gen_ai.tool.type': 'function',
        'vigil.waited': 1,
      },
    },
  ]);
  expect(counted()).toMatchObject([{ SpansSent: 3 }]);
  expect(counted()[0]).not.toHaveProperty('SpansLost');
  // A backend that does not know an undefined value has got none.
  expect(backend.spans.flatMap((span) => Object.values(span.attributes))).not.toContain(undefined);
});

test('each failed attempt is a span next to the one that succeeded (R239)', async () => {
  await start();
  const failedAttempts = [
    { attempt: 1, startedAt: at(1), endedAt: at(2), error: 'The model’s server failed (503). Secret words.' },
    { attempt: 2, endedAt: at(3), error: 'It broke off.' },
  ];
  await send(segment(), chat({ attempt: 3, failedAttempts }), call({ status: 'failed', attempts: 2, failedAttempts }));
  expect(problemsOf(backend.spans)).toEqual([]);
  const of = (name: string) =>
    named(name).map(({ attributes, status, words }) => [
      attributes['vigil.attempt'],
      status,
      attributes['error.type'],
      words,
    ]);
  expect(of('chat gpt-6.1-terra')).toEqual([
    [1, 'ERROR', '503', undefined],
    [2, 'ERROR', '_OTHER', undefined],
    [3, 'UNSET', undefined, undefined],
  ]);
  expect(of('execute_tool current_time')).toEqual([
    [1, 'ERROR', '503', undefined],
    [2, 'ERROR', 'failed', undefined],
  ]);
  expect(JSON.stringify(backend.spans.map(({ attributes }) => attributes))).not.toContain('Secret');
});

test('what comes again is not sent again; what was sent and not recorded has the same ids (R239)', async () => {
  await start();
  await send(chat(), segment());
  await send(chat(), segment());
  expect(backend.spans).toHaveLength(2);
  const { client } = mockTable;
  const broken = jest.spyOn(client, 'send').mockImplementation((async (command: { constructor: { name: string } }) => {
    if (command.constructor.name === 'PutCommand') throw new Error('dead');
    return {};
  }) as never);
  await expect(send(call())).rejects.toThrow('dead');
  broken.mockRestore();
  await send(call());
  expect(named('execute_tool current_time')).toHaveLength(2);
  expect(problemsOf(backend.spans)).toEqual([]);
});

test('segments of a run are in one trace, under the first; with the scope `segment` each is its own, with a link (R239)', async () => {
  const second = (more: object = {}) => segment({ segment: 2, startedAt: at(9), endedAt: at(12), ...more });
  await start();
  await send(segment({ status: 'continued' }), second());
  expect(backend.spans.map(({ parentSpanId }) => parentSpanId)).toEqual(['', segmentSpanId(shared())]);
  expect(new Set(backend.spans.map(({ traceId }) => traceId)).size).toBe(1);

  number += 1;
  await start({ VIGIL_TRACES: 'segment' });
  await send(segment({ status: 'continued' }), second());
  const [one, two] = backend.spans.slice(2);
  expect(two).toMatchObject({ parentSpanId: '', links: [{ traceId: one!.traceId, spanId: one!.spanId }] });
  expect(two!.traceId).not.toBe(one!.traceId);
  // A backend that limits the age of a trace would refuse a span of weeks.
  number += 1;
  await send(segment({ endedAt: at(30 * 86_400) }));
  const slept = backend.spans.at(-1)!;
  expect([slept.end - slept.start, slept.attributes['vigil.started_at']]).toEqual([43_200_000_000_000n, at(0)]);
  backend.spans.pop();
  expect(problemsOf(backend.spans)).toEqual([]);
});

test('a caller’s span is the parent of the run, or linked where the conversation is the trace (R240)', async () => {
  const caller = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', tracestate: 'congo=t61' };
  const outside = new Set(['00f067aa0ba902b7']);
  await start();
  await send(chat({ caller }), segment({ caller }));
  expect(named('invoke_agent reminder')[0]).toMatchObject({
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    parentSpanId: '00f067aa0ba902b7',
    links: [],
  });
  expect(problemsOf(backend.spans, outside)).toEqual([]);
  number += 1;
  await start({ VIGIL_TRACES: 'conversation' });
  await send(segment({ caller }));
  expect(backend.spans.at(-1)).toMatchObject({
    parentSpanId: '',
    links: [{ traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }],
  });
});

test.each([[{ status: 503, headers: { 'retry-after': '1' } }], [{ status: 429 }], ['no answer' as const]])(
  'a backend that answers %j once is asked again at once (R239)',
  async (answer) => {
    await start();
    backend.next(answer, answer);
    await send(segment());
    expect([backend.requests.length, backend.spans.length]).toEqual([3, 1]);
  },
);

test.each([503, 401, 404, 302, 500])(
  'while it answers %d, the attempt fails and is counted, and nothing is lost (R239)',
  async (status) => {
    await start();
    backend.next(...Array.from({ length: status === 503 ? 3 : 1 }, () => ({ status })));
    await expect(send(segment())).rejects.toMatchObject({
      name: 'NotTaken',
      message: `The backend answers with status ${status}.`,
    });
    expect(counted()).toMatchObject([{ SpansWaiting: 1, reason: `The backend answers with status ${status}.` }]);
    await send(segment());
    expect(backend.spans).toHaveLength(1);
  },
);

test.each(['{"partialSuccess":{}}', '<html>Thank you</html>', '\xff\xff\xff'])(
  'a success is one, whatever its body says: %j (R275)',
  async (says) => {
    await start();
    backend.next({ says });
    await send(segment());
    expect([backend.requests.length, backend.spans.length]).toEqual([1, 1]);
    expect(counted()).toMatchObject([{ SpansSent: 1 }]);
  },
);

test('what it refuses for good is counted as lost, and not sent again (R239)', async () => {
  await start();
  backend.next({ status: 400 });
  await send(segment());
  await send(segment());
  expect([backend.requests.length, counted()[0]]).toEqual([1, expect.objectContaining({ SpansSent: 0, SpansLost: 1 })]);

  number += 1;
  backend.next({ rejected: 1 });
  await send(segment(), chat());
  expect(counted().at(-1)).toMatchObject({ SpansSent: 1, SpansLost: 1 });
});

test('headers that cannot be read are no request, and are not quoted (R239)', async () => {
  await start();
  mockHeaders = 'a key without a name';
  await expect(send(segment())).rejects.toThrow(/^OTEL_EXPORTER_OTLP_HEADERS: write name=value pairs, [^k]*$/);
  expect(backend.requests).toEqual([]);
});

test('content is sent only where it is turned on, and redacted (R239)', async () => {
  const rows = async () => {
    const { conversationId, runId } = shared();
    const message = { version: 1, status: 'complete', createdAt: at(0) };
    await write(mockTable, conversationId, [
      {
        sk: key.message(1),
        put: { ...message, seq: 1, role: 'user', author: 'ada', text: 'I am ada@example.com', readBySeq: 2 },
      },
      {
        sk: key.message(2),
        put: { ...message, seq: 2, role: 'assistant', author: 'reminder', text: 'Hello', runId, step: 1 },
      },
      {
        sk: key.call(`${runId}.00001.00`),
        put: storedCall(`${runId}.00001.00`, at(3), {
          runId,
          tool: 'current_time',
          status: 'completed',
          attempts: 1,
          modelCallId: 'call_7',
          arguments: '{"to":"bo@example.com"}',
          result: '{"at":"noon"}',
        }),
      },
    ] as Parameters<typeof write>[2]);
  };
  await start();
  await rows();
  await send(chat(), call());
  expect(JSON.stringify(backend.spans.map(({ attributes }) => attributes))).not.toMatch(/Hello|noon|example/);

  number += 1;
  await start({ VIGIL_TELEMETRY_CONTENT: 'true' });
  await rows();
  await send(chat(), call());
  const [reply, made] = backend.spans.slice(2);
  const json = (name: string, of = reply) => JSON.parse(String(of!.attributes[name]));
  expect(json('gen_ai.input.messages')).toEqual([{ role: 'user', parts: [{ type: 'text', content: 'I am [email]' }] }]);
  expect(json('gen_ai.output.messages')).toEqual([
    {
      role: 'assistant',
      parts: [
        { type: 'text', content: 'Hello' },
        { type: 'tool_call', id: 'call_7', name: 'current_time', arguments: { to: '[email]' } },
      ],
      finish_reason: 'tool_call',
    },
  ]);
  expect(json('gen_ai.tool.call.arguments', made)).toEqual({ to: '[email]' });
  expect(json('gen_ai.tool.call.result', made)).toEqual({ at: 'noon' });

  // The words of a deleted conversation are in its rows for a month, and nobody's any more.
  number += 1;
  await rows();
  const { conversationId } = shared();
  const Item = { pk: key.conversation(conversationId), sk: key.meta, conversationId, deletedFor: 'ada' };
  await mockTable.client.send(new PutCommand({ TableName: mockTable.name, Item }));
  await send(call());
  expect(backend.spans.at(-1)!.attributes).not.toHaveProperty('gen_ai.tool.call.arguments');
});
