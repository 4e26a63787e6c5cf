import { type ModelServer, type Reply, startModelServer } from '../../test/support/servers/model-server';
import { testAgent } from '../../test/support/tables/steps';
import { currentTime } from '../../tools/current-time';
import { schedule } from '../../tools/timers/schedule';
import { openaiModel } from './model';

const agent = testAgent('a', { model: 'small', tools: [currentTime, schedule] });
const key = { get: async () => 'sk-secret-1234567890', replaced: async (_refused: string) => false };
const hi = [{ kind: 'message' as const, by: 'user' as const, text: 'Hi, my PIN is 1234' }];
const inStream = (error: unknown): Reply => ({
  malformed: `data: {"choices":[{"delta":{"content":"Hal"}}]}\n\ndata: ${JSON.stringify({ error })}\n\n`,
});

describe('the model behind the chat completions API', () => {
  let server: ModelServer;
  afterEach(() => server.stop());

  async function reply(scripted: Reply) {
    server = await startModelServer({ script: [scripted] });
    const pieces: string[] = [];
    const result = await openaiModel(key, { baseURL: server.url }).reply({
      agent,
      items: hi,
      signal: new AbortController().signal,
      onText: (piece) => pieces.push(piece),
    });
    return { ...result, pieces };
  }

  test('a server that ignores `stream` sends its whole reply (R189)', async () => {
    const message = {
      content: 'Noon.',
      tool_calls: [{ id: 7, type: 'function', function: { name: 'current_time', arguments: null } }],
    };
    const usage = { prompt_tokens: 7, completion_tokens: 2 };
    const body = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage });
    expect(await reply({ malformed: `\n ${body}` })).toMatchObject({
      text: 'Noon.',
      pieces: ['Noon.'],
      usage: { inputTokens: 7, outputTokens: 2 },
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
    ['a malformed stream', { malformed: 'data: {"choices": [{\n\n' }, 'ModelUnreadable', /events that are not JSON/],
    ['a page', { malformed: '<!doctype html><title>Sign in</title>' }, 'ModelUnreadable', /a page of HTML/],
    ['another text', { malformed: 'error: no healthy upstream' }, 'ModelUnreadable', /something that is no reply/],
    ['half of an object', { malformed: '{"choices": [' }, 'ModelUnreadable', /not JSON/],
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
      '401',
      { status: 401, error: { error: { message: 'Incorrect API key provided: sk-secret-1234567890' } } },
      'ModelRejected',
      /^The model's server refused the key \(401\)\. Put a valid key into the secret\.$/,
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
    ['no credit, in the stream', inStream({ message: 'x', type: 'insufficient_quota' }), 'ModelThrottled', /no credit/],
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
  ])('%s is an error with a name that the state machine knows', async (_name, scripted, name, message) => {
    await expect(reply(scripted)).rejects.toMatchObject({ name, message: expect.stringMatching(message) });
    expect(server.calls).toBe(1);
  });

  test('nothing listening is an outage', async () => {
    server = await startModelServer();
    const gone = openaiModel(key, { baseURL: 'http://127.0.0.1:9/v1' });
    const request = { agent, items: [], signal: new AbortController().signal, onText: () => undefined };
    await expect(gone.reply(request)).rejects.toMatchObject({ name: 'ModelUnavailable' });
  });
});

test('what one model thought is of another maker than what another model, or another API, thinks (R131)', () => {
  const maker = (name: string, api?: 'responses' | 'chat') =>
    openaiModel(key, { baseURL: 'http://127.0.0.1:9', api }).about({ ...agent, model: { ...agent.model, name } }).maker;
  expect(new Set([maker('one', 'responses'), maker('two', 'responses'), maker('one', 'chat')]).size).toBe(3);
  expect(maker('one', 'chat')).toBe(maker('one', 'chat'));
});
