import type { TooLong } from '../../core/base/text/errors';
import { failureOf, modelError } from './model-errors';
import { tooLongIn } from './too-long';

const words: [string, unknown, TooLong][] = [
  [
    'OpenAI',
    {
      message:
        "This model's maximum context length is 8192 tokens. However, you requested 10000 tokens (9000 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.",
    },
    { most: 8192, needed: 10000 },
  ],
  ['OpenAI’s Responses API', { message: 'Your input exceeds the context window of this model.' }, {}],
  [
    'vLLM',
    {
      object: 'error',
      message:
        "This model's maximum context length is 4096 tokens. However, you requested 0 output tokens and your prompt contains at least 4097 input tokens.",
    },
    { most: 4096, needed: 4097 },
  ],
  ['Anthropic', { message: 'prompt is too long: 210000 tokens > 200000 maximum' }, { most: 200000, needed: 210000 }],
  [
    'Anthropic, with the output',
    { message: 'input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000, decrease input length' },
    { most: 200000 },
  ],
  [
    'llama.cpp',
    {
      message: 'the request exceeds the available context size. try increasing the context size',
      code: 400,
      type: 'exceed_context_size_error',
      n_prompt_tokens: 9000,
      n_ctx: 8192,
    },
    { most: 8192, needed: 9000 },
  ],
  [
    'Gemini',
    [
      {
        error: {
          code: 400,
          message: 'The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).',
        },
      },
    ],
    { most: 1048576, needed: 1100000 },
  ],
  [
    'Mistral',
    {
      message: 'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    },
    { most: 32768, needed: 40000 },
  ],
  [
    'xAI',
    { message: "This model's maximum prompt length is 131072 but the request contains 537812 tokens." },
    { most: 131072, needed: 537812 },
  ],
  [
    'TGI',
    { error: { message: '`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens' } },
    { most: 4096, needed: 5000 },
  ],
  ['Amazon Bedrock', { message: 'Input is too long for requested model.' }, {}],
  ['Amazon Bedrock, of a model', { message: 'Too many input tokens: 9,000 > 8,192' }, { most: 8192, needed: 9000 }],
];

test.each(words)('%s says that the request is too long, and by how much (R198)', (_server, error, expected) => {
  expect(tooLongIn(error)).toEqual({ most: undefined, needed: undefined, ...expected });
  expect(modelError({ status: 400, error }, 'm')).toMatchObject({ name: 'ModelRejected', tooLong: expected });
});

test.each([
  { message: 'Rate limit reached on tokens per min (TPM): Limit 10000, Used 9000, Requested 2000. Try again in 6s.' },
  { message: 'Number of request tokens has exceeded your per-minute rate limit' },
  { message: 'Too many tokens, please wait before trying again.' },
])('a busy server does not say so: %j', (error) => {
  expect(modelError({ status: 429, error }, 'm')).toMatchObject({ name: 'ModelThrottled' });
});

test('a request of more tokens than a minute may have is too long', () => {
  const message = 'Request too large for m on tokens per minute (TPM): Limit 6000, Requested 7000.';
  for (const status of [413, 429])
    expect(modelError({ status, code: 'rate_limit_exceeded', error: { message } }, 'm')).toMatchObject({
      name: 'ModelRejected',
      tooLong: { most: 6000, needed: 7000 },
    });
});

test.each([
  'max_tokens is too large: 100000. This model supports at most 16384 completion tokens.',
  "Invalid type for 'messages[0].content'",
  '',
])('%j rejects the request for another reason', (message) => {
  expect(tooLongIn({ message })).toBeUndefined();
});

describe('a server that asks for a pause (R198, R208)', () => {
  const seconds = (error: object) => {
    const { notBefore } = modelError(error, 'm') as { notBefore?: Date };
    return notBefore && Math.ceil((notBefore.getTime() - Date.now()) / 1_000);
  };

  test.each([429, 408, 409, 500, 502, 503, 504, 529])('is heard with the status %d', (status) => {
    expect(seconds({ status, headers: new Headers({ 'retry-after': '20' }) })).toBe(20);
    expect(seconds({ status, headers: new Headers({ 'retry-after-ms': '5000' }) })).toBe(5);
    const date = new Date(Date.now() + 120_000).toUTCString();
    expect([119, 120]).toContain(seconds({ status, headers: new Headers({ 'retry-after': date }) }));
    expect(seconds({ status, headers: new Headers() })).toBeUndefined();
  });

  test('is heard in the body, as Google’s servers send it', () => {
    const details = [
      { '@type': 'type.googleapis.com/google.rpc.QuotaFailure' },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '31.5s' },
    ];
    expect(seconds({ status: 429, error: [{ error: { code: 429, details } }] })).toBe(32);
    expect(seconds({ status: 429, error: { code: 429, details } })).toBe(32);
  });
});

test('an error in an answer with the status 200 is one, whatever its form', () => {
  for (const event of [null, 'x', 7, [], {}, { error: null }, { error: '' }, { object: 'chat.completion.chunk' }])
    expect(failureOf(event)).toBeUndefined();
  expect(failureOf({ error: 'My words' })).toEqual({ error: 'My words' });
  expect(failureOf({ error: { code: 502, type: 'x', param: null } })).toMatchObject({ code: 502, type: 'x' });
  expect(failureOf({ object: 'error', code: 400, message: 'x' })).toMatchObject({ code: 400 });
});

test.each<[object, string, boolean]>([
  [{ status: 401 }, 'ModelRejected', true],
  [{ status: 403 }, 'ModelRejected', true],
  [{ status: 404 }, 'ModelRejected', true],
  [{ status: 410 }, 'ModelRejected', true],
  [{ status: 402 }, 'ModelThrottled', true],
  [{ status: 429, code: 'insufficient_quota' }, 'ModelThrottled', true],
  [{ status: 400, type: 'billing_error' }, 'ModelThrottled', true],
  [{ status: 429 }, 'ModelThrottled', false],
  [{ status: 503 }, 'ModelUnavailable', false],
  [{}, 'ModelUnavailable', false],
  [{ status: 400 }, 'ModelRejected', false],
  [{ status: 422 }, 'ModelRejected', false],
  [{ status: 400, code: 'content_filter' }, 'ModelRejected', false],
  [{ status: 413 }, 'ModelRejected', false],
])(
  '%j: another model is asked at once only if the deployment is refused, or has no credit (R203)',
  (error, name, at) => {
    const { isLasting = false, ...made } = modelError(error, 'm');
    expect([made.name, isLasting]).toEqual([name, at]);
  },
);
