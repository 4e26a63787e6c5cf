import * as z from 'zod';
import { defineAgent } from '../../core/conversations/agent/agent';
import { type ModelServer, type Reply, type Style, startModelServer } from '../../test/support/servers/model-server';
import { currentTime } from '../../tools/current-time';
import { schedule } from '../../tools/timers/schedule';
import { openaiModel } from './openai-model';

const agent = defineAgent({
  name: 'a',
  purpose: 'p',
  instructions: 'i',
  model: 'small',
  tools: [currentTime, schedule],
});
const key = { get: async () => 'sk-secret-1234567890', replaced: async (_refused: string) => false };
const hi = [{ kind: 'message' as const, by: 'user' as const, text: 'Hi, my PIN is 1234' }];
const inStream = (error: unknown): Reply => ({
  malformed: `data: {"choices":[{"delta":{"content":"Hal"}}]}\n\ndata: ${JSON.stringify({ error })}\n\n`,
});

describe('the model behind the chat completions API', () => {
  let server: ModelServer;
  afterEach(() => server.stop());

  async function reply(scripted: Reply, style?: Style) {
    server = await startModelServer({ script: [scripted], style });
    const pieces: string[] = [];
    const result = await openaiModel(key, { baseURL: server.url }).reply({
      agent,
      items: hi,
      signal: new AbortController().signal,
      onText: (piece) => pieces.push(piece),
    });
    return { ...result, pieces };
  }

  test.each<[string, Style]>([
    ['usage, whole deltas', { usage: true, deltas: 'whole' }],
    ['no usage, fragments', { usage: false, deltas: 'fragments' }],
  ])('text and parallel tool calls arrive the same from a server with %s (R13)', async (_name, style) => {
    const toolCalls = [
      { id: 'call_1', name: 'current_time', arguments: {} },
      { id: 'call_2', name: 'schedule', arguments: { at: '2026-03-01T08:00:00Z' } },
    ];
    const got = await reply(
      { text: 'One moment. I look.', toolCalls, usage: { prompt_tokens: 7, completion_tokens: 5 } as never },
      style,
    );
    expect(got.text).toBe('One moment. I look.');
    expect(got.pieces.join('')).toBe(got.text);
    expect(got.toolCalls.map(({ id, name, arguments: args }) => ({ id, name, arguments: JSON.parse(args) }))).toEqual(
      toolCalls,
    );
    expect(got.usage.modelCalls).toBe(1);
    expect([got.usage.inputTokens > 0, got.usage.outputTokens > 0]).toEqual([true, true]);
    expect(server.requests[0]).toMatchObject({
      model: 'small',
      stream: true,
      tools: [{ function: { name: 'current_time', strict: true } }, {}],
    });
    expect(server.requests[0]!.headers.authorization).toBe('Bearer sk-secret-1234567890');
  });

  test('a server that ignores `stream` sends its whole reply (R189)', async () => {
    const message = {
      content: 'Noon.',
      tool_calls: [{ id: 7, type: 'function', function: { name: 'current_time', arguments: null } }],
    };
    const usage = { prompt_tokens: 7, completion_tokens: 2 };
    const body = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage });
    expect(await reply({ malformed: `\n ${body}` })).toMatchObject({
      ...{ text: 'Noon.', pieces: ['Noon.'], usage: { inputTokens: 7, outputTokens: 2 } },
      toolCalls: [{ id: '7', name: 'current_time', arguments: '{}' }],
    });
  });

  test.each([
    { prompt_tokens: 10, completion_tokens: null },
    { prompt_tokens: '10', completion_tokens: Number.NaN },
    { prompt_tokens: -5, completion_tokens: -1 },
    { prompt_tokens: 1.5, completion_tokens: 1e300 },
    { prompt_tokens: 0, prompt_tokens_details: { cached_tokens: 9e9 } },
    { prompt_tokens: 20, prompt_tokens_details: { cached_tokens: 1e6 }, completion_tokens_details: 'none' },
    [],
    'none',
  ])('odd counts are estimated: %j (R189)', async (usage) => {
    const chunks = [{ choices: [{ delta: { content: 'Hi.' }, finish_reason: 'stop' }] }, { choices: null, usage }];
    const got = await reply({ malformed: chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('') });
    expect(Object.values(got.usage).every((count) => Number.isInteger(count) && count >= 0 && count < 1e4)).toBe(true);
    expect([got.usage.inputTokens > 0, got.usage.outputTokens > 0]).toEqual([true, true]);
  });

  test.each<[string, Reply, string, RegExp]>([
    ['429', { status: 429 }, 'ModelThrottled', /busy \(429\)/],
    [
      'no credit',
      { status: 429, error: { error: { message: 'x', code: 'insufficient_quota' } } },
      'ModelRejected',
      /no credit/,
    ],
    ['500', { status: 500 }, 'ModelUnavailable', /failed \(500\)/],
    ['529', { status: 529 }, 'ModelUnavailable', /failed \(529\)/],
    [
      'a connection that breaks midway',
      { text: 'A long answer that never ends.', closeAfter: 8 },
      'ModelUnavailable',
      /was lost/,
    ],
    ['a malformed stream', { malformed: 'data: {"choices": [{\n\n' }, 'ModelUnreadable', /events that are not JSON/],
    ['a page', { malformed: '<!doctype html><title>Sign in</title>' }, 'ModelUnreadable', /a page of HTML/],
    ['another text', { malformed: 'error: no healthy upstream' }, 'ModelUnreadable', /something that is no reply/],
    ['half of an object', { malformed: '{"choices": [' }, 'ModelUnreadable', /not JSON/],
    ['another object', { malformed: '{"hello": "world"}' }, 'ModelUnreadable', /something that is no reply/],
    ['no body', { malformed: '' }, 'ModelUnavailable', /broke off/],
    [
      'an error with the status 200',
      { malformed: '{"error":{"message":"x","code":"rate_limit_exceeded"}}' },
      'ModelThrottled',
      /busy \(429\)/,
    ],
    [
      'an error of vLLM in the stream',
      { malformed: 'data: {"object":"error","message":"My PIN is 1234","type":"BadRequestError","code":400}\n\n' },
      'ModelRejected',
      /rejected the request \(400\): …/,
    ],
    [
      'a stream that just stops',
      { malformed: 'data: {"choices":[{"delta":{"content":"Hal"}}]}\n\n' },
      'ModelUnavailable',
      /broke off/,
    ],
    [
      '401',
      { status: 401, error: { error: { message: 'Incorrect API key provided: sk-secret-1234567890' } } },
      'ModelRejected',
      /^The model's server refused the key \(401\)\. Put a valid key into the secret\.$/,
    ],
    ['404', { status: 404 }, 'ModelRejected', /does not know the model "small"/],
    [
      'too long',
      { status: 400, error: { error: { message: 'x', code: 'context_length_exceeded' } } },
      'ModelRejected',
      /grown too long/,
    ],
    [
      'another 400',
      {
        status: 400,
        error: {
          error: {
            message: 'My PIN is 1234 is no value of foo for sk-secret-1234567890',
            type: 'invalid_request_error',
            code: 'unknown field: my PIN',
            param: 'messages.[1].foo',
          },
        },
      },
      'ModelRejected',
      /^The model's server rejected the request \(400\): … is … is no value of foo for … \(type invalid_request_error, param messages\.\[1\]\.foo\)$/,
    ],
    ['no credit, by another status', { status: 402 }, 'ModelRejected', /no credit/],
    [
      'too long, in the stream',
      inStream({ message: 'My PIN', type: 'invalid_request_error', code: 'context_length_exceeded' }),
      'ModelRejected',
      /grown too long/,
    ],
    ['no credit, in the stream', inStream({ message: 'x', type: 'insufficient_quota' }), 'ModelRejected', /no credit/],
    [
      'too many requests, in the stream',
      inStream({ message: 'x', type: 'tokens', code: 'rate_limit_exceeded' }),
      'ModelThrottled',
      /busy \(429\)/,
    ],
    [
      'a failure, in the stream',
      inStream({ message: 'x', type: 'server_error', code: null }),
      'ModelUnavailable',
      /failed \(500\)/,
    ],
    [
      'a bad request, in the stream',
      inStream({ message: 'My PIN is 1234: no', type: 'invalid_request_error', param: 'tools' }),
      'ModelRejected',
      /^The model's server rejected the request \(400\): … is …: no \(type invalid_request_error, param tools\)$/,
    ],
    ['a number, in the stream', inStream({ message: 'x', code: 502 }), 'ModelUnavailable', /failed \(502\)/],
    ['a bad number, in the stream', inStream({ message: 'x', code: '400' }), 'ModelRejected', /rejected .* \(400\)/],
    [
      'an error of no known kind, in the stream',
      inStream({ message: 'My PIN', type: 'mood' }),
      'ModelUnavailable',
      /^The model's server failed during its reply: type mood\.$/,
    ],
    ['an error in words, in the stream', inStream('My PIN'), 'ModelUnavailable', /^The model's .* during its reply\.$/],
    ['refused content', { text: 'I', finishReason: 'content_filter' }, 'ModelRejected', /refused the content/],
  ])('%s is an error with a name that the state machine knows', async (_name, scripted, name, message) => {
    await expect(reply(scripted)).rejects.toMatchObject({ name, message: expect.stringMatching(message) });
    expect(server.calls).toBe(1);
  });

  test('a key that was replaced since it was read is worth another attempt (R98)', async () => {
    server = await startModelServer({ script: [{ status: 401 }] });
    const replaced = jest.fn(async () => true);
    const request = { agent, items: hi, signal: new AbortController().signal, onText: () => undefined };
    const model = openaiModel({ ...key, replaced }, { baseURL: server.url });
    await expect(model.reply(request)).rejects.toMatchObject({ name: 'ModelUnavailable' });
    expect(replaced).toHaveBeenCalledWith('sk-secret-1234567890');
  });

  test('what goes wrong on our own side is no outage', async () => {
    server = await startModelServer({ script: [{ text: 'Hi.' }] });
    const signal = new AbortController().signal;
    const request = { agent, items: hi, signal, onText: () => undefined };
    const bug = new RangeError('ours');
    const throws = () => {
      throw bug;
    };
    await expect(openaiModel(key, { baseURL: server.url }).reply({ ...request, onText: throws })).rejects.toBe(bug);

    // `defineTool` rejects such a tool. If one got here anyway, that would not be the server's fault.
    const unfit = { ...schedule, input: z.object({ n: z.bigint() }) } as never;
    const broken = { ...agent, tools: [unfit] };
    await expect(openaiModel(key, { baseURL: server.url }).reply({ ...request, agent: broken })).rejects.toThrow(
      /BigInt/,
    );

    const items = [{ ...hi[0]!, text: 1n as never }];
    await expect(openaiModel(key, { baseURL: server.url }).reply({ ...request, items })).rejects.toMatchObject({
      name: 'TypeError',
    });
    expect(server.calls).toBe(1);
  });

  test('nothing listening is an outage', async () => {
    server = await startModelServer();
    const gone = openaiModel(key, { baseURL: 'http://127.0.0.1:9/v1' });
    const request = { agent, items: [], signal: new AbortController().signal, onText: () => undefined };
    await expect(gone.reply(request)).rejects.toMatchObject({ name: 'ModelUnavailable' });
  });

  test('a call that is no longer wanted is cut off', async () => {
    server = await startModelServer({ script: [{ text: 'One. Two. Three.', holdAfter: 4 }] });
    const cut = new AbortController();
    const request = {
      agent,
      items: hi,
      signal: cut.signal,
      onText: () => cut.abort(),
    };
    await expect(openaiModel(key, { baseURL: server.url }).reply(request)).rejects.toMatchObject({
      name: 'ModelUnavailable',
    });
    for (let wait = 0; wait < 200 && !server.requests[0]!.closed; wait++)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(server.requests[0]!.closed).toBe(true);
  });
});
