import { defineProvider, type ModelChoice } from '../../core/base/models/provider';
import type { Model } from '../../core/conversations/agent/model';
import type { ModelKey } from '../../lambdas/models/model-key';
import { anthropicModel } from '../../modules/anthropic/model';
import { bedrockModel } from '../../modules/bedrock/model';
import { openaiModel } from '../../modules/openai/model';
import { type AnthropicBlock, type AnthropicReply, startAnthropic } from './servers/anthropic-server';
import { type BedrockReply, startOwnBedrock } from './servers/bedrock-server';
import { type Reply, startModelServer } from './servers/model-server';

// The adapters of all APIs, each with a server that is scripted in the same words.

/** What a model says, or how its server fails. */
export interface Saying {
  thought?: string;
  text?: string;
  calls?: { id: string; name: string; arguments: object }[];
  /** A search of the web before the text, which cites what it finds. */
  searches?: { query: string; url: string; title: string };
  end?: 'cut off' | 'refused';
  /** `input` includes cached tokens. */
  counts?: { input: number; cached: number; written: number; output: number };
  failure?: Failure;
  /** The value of Retry-After, with a failure that has a status. */
  pause?: string;
  /** After its first delta. */
  stop?: 'breaks off' | 'is silent';
}

export const failures = [
  ...(['busy', 'down', 'unknown key', 'unknown model', 'too long', 'bad request', 'unreadable thoughts'] as const),
  'bad file' as const,
  ...(['busy, in the stream', 'down, in the stream'] as const),
];
export type Failure = (typeof failures)[number];

/** A person's words, which a provider quotes. */
export const secret = 'My PIN is 1234';
const words = `${secret}: no value of foo`;

/** Where an adapter's model is reached by its own server. */
export interface Reached {
  model: Model;
  say(sayings: Saying[]): void;
  // biome-ignore lint/suspicious/noExplicitAny: kept as received.
  requests(): { body: any; closed: boolean }[];
  stop(): Promise<void>;
}

export interface Adapter {
  name: string;
  choice: ModelChoice;
  /** The request for a choice with `effort: 'low'` and `maxOutputTokens: 500`, and for an agent with an output. */
  sent: { settings: object; format?: object; search?: object };
  /** How a picture and a PDF are sent, in Base64; `name` is the document's. */
  media: { image(png: string): object; pdf(pdf: string): object };
  /** Returns what is sent with the text of the result of a call, wherever the API has it. */
  // biome-ignore lint/suspicious/noExplicitAny: kept as received.
  ofResult(body: any, callId: string): object[];
  /** The types of the items or blocks by which it tells of hosted tools. */
  hosted?: string[];
  /** The parts of the server's vocabulary that the API has. */
  lacks?: (Failure | 'a key' | 'written' | 'silence')[];
  start(key: ModelKey): Promise<Reached>;
}

const prices = { 'claude-sonnet-5-5': { input: 2, output: 10, cached: 0.1, written: 2.5 } };

type OfApi = Pick<Adapter, 'sent' | 'lacks' | 'hosted' | 'choice' | 'media' | 'ofResult'>;
const openai = (api: 'chat' | 'responses', more: OfApi): Adapter => ({
  name: api === 'chat' ? 'chat completions' : 'the Responses API',
  ...more,
  async start(key) {
    const server = await startModelServer();
    return {
      model: openaiModel(key, { baseURL: server.url, api, structuredOutput: true }),
      say: (sayings) => server.begin({ script: sayings.map(openaiReply(api)), style: { deltas: 'fragments' } }),
      // The other API's form of the transcript is the server's own.
      requests: () =>
        server.requests.map(({ closed, tools = [], hostedTools = [], ...body }) => ({
          closed,
          body: { ...body, tools: [...tools, ...hostedTools], ...(api === 'responses' && { messages: undefined }) },
        })),
      stop: server.stop,
    };
  },
});

const openaiErrors: Record<Failure, { status: number; code?: string; message?: string }> = {
  busy: { status: 429, code: 'rate_limit_exceeded' },
  down: { status: 503 },
  'unknown key': { status: 401, message: 'Incorrect API key provided' },
  'unknown model': { status: 404 },
  'too long': { status: 400, code: 'context_length_exceeded' },
  'bad request': { status: 400, message: words },
  'unreadable thoughts': { status: 400, code: 'invalid_encrypted_content' },
  'bad file': {
    status: 400,
    code: 'invalid_image',
    message: 'The image data you provided does not represent a valid image.',
  },
  'busy, in the stream': { status: 200, code: 'rate_limit_exceeded' },
  'down, in the stream': { status: 200, code: 'server_error' },
};

const openaiReply =
  (api: 'chat' | 'responses') =>
  ({ failure, pause, text, thought, calls, searches, end, counts, stop }: Saying): Reply => {
    if (failure) {
      const { status, code = null, message = 'x' } = openaiErrors[failure];
      const error = { message, type: 'invalid_request_error', code };
      if (status !== 200)
        return { status, error: { error }, ...(pause !== undefined && { headers: { 'retry-after': pause } }) };
      return api === 'responses'
        ? { text: 'Hal', failure: { code: String(code), message } }
        : { malformed: `data: {"choices":[{"delta":{"content":"Hal"}}]}\n\ndata: ${JSON.stringify({ error })}\n\n` };
    }
    const ends = { 'cut off': 'length', refused: 'content_filter' };
    return {
      ...(searches && openaiSearch(searches)),
      text,
      thought,
      toolCalls: calls,
      usage: counts && openaiUsage[api](counts),
      ...(end && { finishReason: ends[end] }),
      ...(stop === 'breaks off' && { closeAfter: 2 }),
      ...(stop === 'is silent' && { holdAfter: 2 }),
    };
  };

const openaiSearch = ({ query, url, title }: NonNullable<Saying['searches']>): Reply => ({
  hosted: [
    { type: 'web_search_call', action: { type: 'search', query, queries: [query], sources: [{ type: 'url', url }] } },
    { type: 'web_search_call', action: { type: 'open_page', url } },
  ],
  annotations: [{ type: 'url_citation', url, title, start_index: 0, end_index: 2 }],
});

type Counts = NonNullable<Saying['counts']>;
const openaiUsage = {
  chat: ({ input, cached, output }: Counts) =>
    ({ prompt_tokens: input, completion_tokens: output, prompt_tokens_details: { cached_tokens: cached } }) as never,
  responses: ({ input, cached, written, output }: Counts) =>
    ({ prompt_tokens: input, completion_tokens: output, cached, written }) as never,
};

const converse: Adapter = {
  name: 'Converse',
  choice: { provider: defineProvider({ name: 'bedrock', kind: 'bedrock' }), name: 'us.anthropic.claude-sonnet-5' },
  sent: { settings: { inferenceConfig: { maxTokens: 500 }, outputConfig: { effort: 'low' } } },
  lacks: ['a key', 'silence'],
  media: {
    image: (bytes) => ({ image: { format: 'png', source: { bytes } } }),
    pdf: (bytes) => ({ document: { format: 'pdf', name: expect.stringMatching(/^Document \d+$/), source: { bytes } } }),
  },
  ofResult: ({ messages }, id) =>
    messages
      .flatMap(({ content }: { content: { toolResult?: { toolUseId: string; content: object[] } }[] }) => content)
      .find(({ toolResult }: { toolResult?: { toolUseId: string } }) => toolResult?.toolUseId === id)
      .toolResult.content.slice(1),
  async start() {
    const server = await startOwnBedrock();
    return {
      model: bedrockModel({ name: 'bedrock' }),
      say: (sayings) => server.script(sayings.map(converseReply)),
      requests: () => server.requests,
      stop: () => server.stop(),
    };
  },
};

const converseErrors: Record<Failure, { name: string; status: number; message?: string; inStream?: true }> = {
  busy: { name: 'ThrottlingException', status: 429 },
  down: { name: 'ServiceUnavailableException', status: 503 },
  'unknown key': { name: 'AccessDeniedException', status: 403 },
  'unknown model': { name: 'ResourceNotFoundException', status: 404 },
  'too long': { name: 'ValidationException', status: 400, message: 'Input is too long for requested model.' },
  'bad request': { name: 'ValidationException', status: 400, message: words },
  'unreadable thoughts': {
    name: 'ValidationException',
    status: 400,
    message: 'messages.1.content.0: Invalid `signature` in `thinking` block.',
  },
  'bad file': {
    name: 'ValidationException',
    status: 400,
    message: 'messages.0.content.1.image.source.bytes: Could not process image',
  },
  'busy, in the stream': { name: 'ThrottlingException', status: 429, inStream: true },
  'down, in the stream': { name: 'ModelStreamErrorException', status: 424, inStream: true },
};

function converseReply({ failure, pause, text, thought, calls = [], end, counts, stop }: Saying): BedrockReply {
  const blocks = [
    ...(thought ? [{ thought, signature: `signed ${thought}` }, { redacted: `hidden ${thought}` }] : []),
    ...(text ? [{ text }] : []),
    ...calls.map(({ id, name, arguments: input }) => ({ id, name, input })),
  ];
  const ends = { 'cut off': 'max_tokens', refused: 'content_filtered' };
  return {
    blocks,
    ...(failure && { exception: { message: 'x', ...converseErrors[failure], retryAfter: pause } }),
    ...(end && { stopReason: ends[end] }),
    ...(counts && {
      usage: {
        inputTokens: counts.input - counts.cached - counts.written,
        outputTokens: counts.output,
        cacheReadInputTokens: counts.cached,
        cacheWriteInputTokens: counts.written,
      },
    }),
    breaksOff: stop === 'breaks off',
    hangs: stop === 'is silent',
  };
}

const anthropic: Adapter = {
  name: 'the Messages API',
  choice: { provider: defineProvider({ name: 'anthropic', kind: 'anthropic' }), name: 'claude-sonnet-5-5' },
  sent: {
    settings: { max_tokens: 500, thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
    format: { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
    search: { type: 'web_search_20250305', name: 'web_search', allowed_domains: ['kyoto.example'] },
  },
  hosted: ['server_tool_use', 'web_search_tool_result'],
  media: {
    image: (data) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }),
    pdf: (data) => ({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } }),
  },
  ofResult: ({ messages }, id) =>
    messages
      .flatMap(({ content }: { content: { tool_use_id?: string; content: object[] }[] }) => content)
      .find(({ tool_use_id }: { tool_use_id?: string }) => tool_use_id === id)
      .content.slice(1),
  async start(key) {
    const server = await startAnthropic();
    return {
      model: anthropicModel(key, { baseURL: server.url }, prices),
      say: (sayings) => server.script(sayings.map(anthropicReply)),
      requests: () => server.requests,
      stop: server.stop,
    };
  },
};

const anthropicErrors: Record<Failure, { type: string; status?: number; message?: string }> = {
  busy: { type: 'rate_limit_error', status: 429 },
  down: { type: 'overloaded_error', status: 529 },
  'unknown key': { type: 'authentication_error', status: 401, message: 'invalid x-api-key' },
  'unknown model': { type: 'not_found_error', status: 404 },
  'too long': {
    type: 'invalid_request_error',
    status: 400,
    message: 'prompt is too long: 210000 tokens > 200000 maximum',
  },
  'bad request': { type: 'invalid_request_error', status: 400, message: words },
  'unreadable thoughts': {
    type: 'invalid_request_error',
    status: 400,
    message:
      'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.',
  },
  'bad file': { type: 'invalid_request_error', status: 400, message: 'Could not process image' },
  'busy, in the stream': { type: 'rate_limit_error' },
  'down, in the stream': { type: 'overloaded_error' },
};

let searchNumber = 0;
function anthropicSearch({ query, url, title }: NonNullable<Saying['searches']>): AnthropicBlock[] {
  const id = `srvtoolu_${++searchNumber}`;
  const found = { type: 'web_search_result', url, title, encrypted_content: 'EqgfCioIARgB', page_age: null };
  return [
    { type: 'server_tool_use', id, name: 'web_search', input: { query } },
    { type: 'web_search_tool_result', tool_use_id: id, content: [found] },
  ];
}

function anthropicReply(saying: Saying): AnthropicReply {
  const { failure, pause, text, thought, calls = [], searches, end, counts, stop } = saying;
  const citation = searches && {
    type: 'web_search_result_location',
    ...searches,
    query: undefined,
    cited_text: 'x',
    encrypted_index: 'Eo8B',
  };
  const blocks = [
    ...(thought ? [{ thought }, { redacted: thought }] : []),
    ...(searches ? anthropicSearch(searches) : []),
    ...(text ? [{ text, ...(citation && { citations: [citation] }) }] : []),
    ...calls.map(({ id, name, arguments: input }) => ({ id, name, input })),
  ];
  const ends = { 'cut off': 'max_tokens', refused: 'refusal' };
  const headers = pause === undefined ? undefined : { 'retry-after': pause };
  return {
    blocks,
    ...(failure && { error: { message: 'x', ...anthropicErrors[failure], headers } }),
    ...(end && { stopReason: ends[end] }),
    ...(counts && {
      usage: {
        input_tokens: counts.input - counts.cached - counts.written,
        output_tokens: counts.output,
        cache_read_input_tokens: counts.cached,
        cache_creation_input_tokens: counts.written,
      },
    }),
    breaksOff: stop === 'breaks off',
    hangs: stop === 'is silent',
  };
}

export const adapters: Adapter[] = [
  openai('chat', {
    choice: {
      name: 'gpt-6.1-terra',
      provider: defineProvider({ name: 'chat', kind: 'chat', baseUrl: 'http://x', structuredOutput: true }),
    },
    sent: {
      settings: { max_tokens: 500, reasoning_effort: 'low' },
      format: { response_format: { type: 'json_schema', json_schema: { strict: true } } },
    },
    lacks: ['written'],
    media: {
      image: (data) => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }),
      pdf: (data) => ({
        type: 'file',
        file: {
          filename: expect.stringMatching(/^f_[\w-]{43}\.pdf$/),
          file_data: `data:application/pdf;base64,${data}`,
        },
      }),
    },
    // A result has text only: its files are the next message's.
    ofResult: ({ messages }) => {
      const last = messages.findLastIndex(({ role }: { role: string }) => role === 'tool');
      return messages[last + 1].content.slice(1);
    },
  }),
  openai('responses', {
    choice: { name: 'gpt-6.1-terra' },
    hosted: ['web_search_call'],
    media: {
      image: (data) => ({ type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${data}` }),
      pdf: (data) => ({
        type: 'input_file',
        filename: expect.stringMatching(/^f_[\w-]{43}\.pdf$/),
        file_data: `data:application/pdf;base64,${data}`,
      }),
    },
    ofResult: ({ input }, id) =>
      input
        .find(
          ({ type, call_id }: { type: string; call_id?: string }) => type === 'function_call_output' && call_id === id,
        )
        .output.slice(1),
    sent: {
      settings: { max_output_tokens: 500, reasoning: { effort: 'low' } },
      format: { text: { format: { type: 'json_schema', strict: true } } },
      search: { type: 'web_search', filters: { allowed_domains: ['kyoto.example'] } },
    },
  }),
  converse,
  anthropic,
];
