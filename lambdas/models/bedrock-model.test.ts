import { LLMock } from '@copilotkit/aimock';
import { defineProvider } from '../../core/base/models/provider';
import type { Item } from '../../core/base/state/items';
import { defineAgent } from '../../core/conversations/agent/agent';
import { type BedrockReply, startBedrock } from '../../test/support/servers/bedrock-server';
import { currentTime } from '../../tools/current-time';
import { schedule } from '../../tools/timers/schedule';
import { bedrockModel } from './bedrock-model';

const provider = defineProvider({ name: 'bedrock', kind: 'bedrock' });
const spec = { name: 'a', purpose: 'p', instructions: 'Be good.', tools: [currentTime, schedule] };
const claude = { provider, name: 'us.anthropic.claude-sonnet-5' };
const agent = defineAgent({
  ...spec,
  model: { ...claude, maxOutputTokens: 500, extra: { thinking: { type: 'adaptive' } } },
});
const hi: Item = { kind: 'message', by: 'user', text: 'Hi' };
const ask = async (items: Item[] = [hi], asked = agent) => {
  const pieces: string[] = [];
  const model = bedrockModel(provider);
  const signal = new AbortController().signal;
  return { ...(await model.reply({ agent: asked, items, signal, onText: (piece) => pieces.push(piece) })), pieces };
};
const place = (url: string) =>
  Object.assign(process.env, {
    ...{ AWS_ENDPOINT_URL_BEDROCK_RUNTIME: url, AWS_REGION: 'us-east-1' },
    ...{ AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' },
  });

describe('Amazon Bedrock (R133)', () => {
  let server: Awaited<ReturnType<typeof startBedrock>>;
  const before = { ...process.env };
  beforeAll(async () => {
    server = await startBedrock();
    place(server.url);
  });
  afterAll(async () => {
    process.env = before;
    await server.stop();
  });
  const reply = (scripted: BedrockReply, items?: Item[]) => {
    server.script([scripted]);
    return ask(items);
  };

  test('text and parallel calls arrive, streamed; the request is Converse’s, and signed', async () => {
    const got = await reply({
      blocks: [
        { text: 'One moment. I look.' },
        { id: 'c1', name: 'current_time', input: {} },
        { id: 'c2', name: 'schedule', input: { at: '2026-03-01T08:00:00Z' } },
      ],
      usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15, cacheReadInputTokens: 90, cacheWriteInputTokens: 20 },
    });
    expect([got.text, got.pieces.join(''), got.pieces.length > 1]).toEqual([got.text, 'One moment. I look.', true]);
    expect(got.toolCalls.map(({ id, name, arguments: args }) => [id, name, args])).toEqual([
      ['c1', 'current_time', '{}'],
      ['c2', 'schedule', '{"at":"2026-03-01T08:00:00Z"}'],
    ]);
    expect(got.usage).toMatchObject({ inputTokens: 120, cachedInputTokens: 90, cacheWriteTokens: 20, outputTokens: 5 });
    const [{ path, authorization, body }] = server.requests as [(typeof server.requests)[0]];
    expect(path).toBe('/model/us.anthropic.claude-sonnet-5/converse-stream');
    expect(authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=test\/.*\/bedrock\/aws4_request/);
    expect(body).toMatchObject({
      system: [{ text: 'Be good.' }],
      messages: [{ role: 'user', content: [{ text: 'Hi' }] }],
      inferenceConfig: { maxTokens: 500 },
      additionalModelRequestFields: { thinking: { type: 'adaptive' } },
      toolConfig: { tools: [{ toolSpec: { name: 'current_time' } }, {}] },
    });
  });

  test('what the model thought goes back unchanged before the call that it led to, with its signature (R131)', async () => {
    const first = await reply({
      blocks: [
        { thought: 'The clock first.', signature: 'sig-1' },
        { redacted: 'hidden' },
        { id: 'c1', name: 'current_time', input: {} },
        { id: 'c2', name: 'current_time', input: {} },
      ],
    });
    const calls = first.toolCalls.map(
      ({ id, name, opaque }): Item => ({
        kind: 'call',
        id,
        tool: name,
        arguments: '{}',
        opaque: JSON.parse(JSON.stringify(opaque ?? null)),
      }),
    );
    const results = ['c1', 'c2'].map(
      (callId): Item => ({ kind: 'result', callId, text: callId === 'c1' ? 'Noon' : '' }),
    );
    await reply({ blocks: [{ text: 'Noon.' }] }, [hi, ...calls, ...results, { ...hi, text: 'And?' }]);
    expect(server.requests[0]!.body.messages).toEqual([
      { role: 'user', content: [{ text: 'Hi' }] },
      {
        role: 'assistant',
        content: [
          { reasoningContent: { reasoningText: { text: 'The clock first.', signature: 'sig-1' } } },
          { reasoningContent: { redactedContent: Buffer.from('hidden').toString('base64') } },
          { toolUse: { toolUseId: 'c1', name: 'current_time', input: {} } },
          { toolUse: { toolUseId: 'c2', name: 'current_time', input: {} } },
        ],
      },
      {
        role: 'user',
        content: [
          { toolResult: { toolUseId: 'c1', content: [{ text: 'Noon' }] } },
          { toolResult: { toolUseId: 'c2', content: [{ text: '(nothing)' }] } },
          { text: 'And?' },
        ],
      },
    ]);
  });

  test('what it cannot read any more is left out, and it is asked again (R131)', async () => {
    const message = 'Invalid `signature` in `thinking` block.';
    server.script([{ exception: { name: 'ValidationException', message } }, { blocks: [{ text: 'Yes.' }] }]);
    const opaque = { thoughts: [{ text: 'Old.', signature: 'sig' }] };
    expect((await ask([hi, { kind: 'message', by: 'assistant', text: 'Well.', opaque }, hi])).text).toBe('Yes.');
    expect(JSON.stringify(server.requests.map(({ body }) => body.messages[1].content))).toBe(
      JSON.stringify([
        [{ reasoningContent: { reasoningText: { text: 'Old.', signature: 'sig' } } }, { text: 'Well.' }],
        [{ text: 'Well.' }],
      ]),
    );
  });

  test('an agent without tools may read of another’s calls', async () => {
    server.script([{ blocks: [{ text: 'Hello.' }] }]);
    const items: Item[] = [
      hi,
      { kind: 'call', id: 'c', tool: 'hand_off', arguments: '{}' },
      { kind: 'result', callId: 'c', text: 'Yours.' },
    ];
    expect((await ask(items, defineAgent({ ...spec, tools: [], model: claude }))).text).toBe('Hello.');
  });

  test('a reply that is cut off says why (R136)', async () => {
    expect(await reply({ blocks: [{ text: 'A long' }], stopReason: 'max_tokens' })).toMatchObject({
      cutOff: 'max_tokens',
    });
  });

  const exception = (name: string, more: object = {}): BedrockReply => ({
    exception: { name, message: 'Bad field x', ...more },
  });
  test.each<[BedrockReply, string, RegExp]>([
    [exception('ThrottlingException', { status: 429 }), 'ModelThrottled', /busy/],
    [exception('ThrottlingException', { inStream: true }), 'ModelThrottled', /busy/],
    [exception('InternalServerException', { status: 500 }), 'ModelUnavailable', /InternalServerException/],
    [exception('ModelStreamErrorException', { inStream: true }), 'ModelUnavailable', /ModelStreamError/],
    [exception('AccessDeniedException', { status: 403 }), 'ModelRejected', /does not allow/],
    [exception('ResourceNotFoundException', { status: 404 }), 'ModelRejected', /does not know/],
    [exception('ValidationException'), 'ModelRejected', /\(ValidationException\): Bad field x\.$/],
    [exception('ValidationException', { message: 'Input is too long.' }), 'ModelRejected', /grown too long/],
    [{ blocks: [{ text: 'Hal' }], breaksOff: true }, 'ModelUnavailable', /broke off/],
    [{ blocks: [], stopReason: 'guardrail_intervened' }, 'ModelRejected', /refused the content/],
  ])('%j is an error with a name that the state machine knows', async (scripted, name, message) => {
    await expect(reply(scripted)).rejects.toMatchObject({ name, message: expect.stringMatching(message) });
  });

  test.each([
    ['ThrottlingException', 429, 'ModelThrottled'],
    ['ServiceUnavailableException', 503, 'ModelUnavailable'],
  ])('a pause that Bedrock asks for with %s is kept (R198)', async (exceptionName, status, name) => {
    const failing = (retryAfter?: string) =>
      reply(exception(exceptionName, { status, retryAfter })).catch(
        (error: { name: string; notBefore?: Date }) => error,
      );
    const asked = await failing('120');
    const pauseMs = (asked as { notBefore: Date }).notBefore.getTime() - Date.now();
    expect(asked).toMatchObject({ name });
    expect([pauseMs > 110_000, pauseMs <= 120_000]).toEqual([true, true]);
    for (const odd of [undefined, '', '-1', 'soon'])
      expect(await failing(odd)).toMatchObject({ name, notBefore: undefined });
  });
});

test('a server that nobody here wrote (R133)', async () => {
  const server = new LLMock({ port: 0 });
  const before = { ...process.env };
  place(await server.start());
  server.on({ hasToolResult: true }, { content: 'It is noon.' });
  server.on({ userMessage: 'time' }, { toolCalls: [{ name: 'current_time', arguments: '{}' }] });
  const question: Item = { kind: 'message', by: 'user', text: 'What time is it?' };
  const { toolCalls } = await ask([question]);
  expect(toolCalls).toMatchObject([{ name: 'current_time' }]);
  const { id } = toolCalls[0]!;
  const call: Item = { kind: 'call', id, tool: 'current_time', arguments: '{}' };
  expect((await ask([question, call, { kind: 'result', callId: id, text: 'Noon' }])).text).toBe('It is noon.');
  process.env = before;
  await server.stop();
});
