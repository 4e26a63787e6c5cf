import type { Item } from '../../core/base/content/items';
import { hosted } from '../../core/base/models/hosted';
import { defineProvider, type ModelChoice } from '../../core/base/models/provider';
import { type AgentSpec, defineAgent } from '../../core/conversations/agent/agent';
import type { ModelRequest } from '../../core/conversations/agent/model';
import { type AnthropicReply, startAnthropic } from '../../test/support/servers/anthropic-server';
import { currentTime } from '../../tools/current-time';
import { schedule } from '../../tools/timers/schedule';
import { anthropicModel } from './model';

// What the Messages API alone has. `lambdas/models/adapters.test.ts` has the rest.

const provider = defineProvider({ name: 'anthropic', kind: 'anthropic', key: 'ANTHROPIC_API_KEY' });
const spec = { name: 'a', purpose: 'p', instructions: 'Be good.', tools: [currentTime, schedule] };
const name = 'claude-sonnet-5-5';
const key = { get: async () => 'sk-ant-secret', replaced: async () => false };
const prices = { [name]: { input: 2, output: 10, cached: 0.1, written: 2.5, writtenForHour: 4 } };
const hi: Item = { kind: 'message', by: 'user', text: 'Hi' };
const call = (id: string) => ({ id, name: 'current_time', input: {} });
const searching = [currentTime, hosted.webSearch()];
const search = { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { query: 'noon' } } as const;

describe('the Messages API (R205)', () => {
  let server: Awaited<ReturnType<typeof startAnthropic>>;
  beforeAll(async () => {
    server = await startAnthropic();
  });
  afterAll(() => server.stop());

  interface Asking extends Pick<ModelRequest, 'cache'> {
    items?: Item[];
    model?: Partial<ModelChoice>;
    instructions?: string;
    tools?: AgentSpec['tools'];
  }
  async function ask(replies: AnthropicReply[], { items = [hi], model, cache, ...more }: Asking = {}) {
    server.script(replies);
    const pieces: string[] = [];
    const agent = defineAgent({ ...spec, ...more, model: { provider, name, ...model } });
    const signal = new AbortController().signal;
    const reply = await anthropicModel(key, { baseURL: server.url, headers: { 'x-team': 'a' } }, prices).reply({
      agent,
      items,
      cache,
      signal,
      onText: (piece: string) => pieces.push(piece),
    });
    return { ...reply, pieces };
  }
  const body = (at = 0) => server.requests[at]!.body;
  const itemsOf = ({ text, opaque, toolCalls }: Awaited<ReturnType<typeof ask>>): Item[] => [
    ...(text.trim() ? [{ kind: 'message' as const, by: 'assistant' as const, text, opaque }] : []),
    ...toolCalls.map(
      (one): Item => ({ kind: 'call', id: one.id, tool: one.name, arguments: one.arguments, opaque: one.opaque }),
    ),
    ...toolCalls.map(({ id }): Item => ({ kind: 'result', callId: id, text: 'Noon' })),
  ];

  test('a request has the version of the API, the key, and a limit', async () => {
    await ask([{ blocks: [{ text: 'Hello.' }] }]);
    expect(server.requests[0]!.headers).toMatchObject({
      'anthropic-version': '2026-10-21',
      authorization: 'Bearer sk-ant-secret',
      'x-team': 'a',
    });
    expect(body()).toEqual({
      model: name,
      max_tokens: 64_000,
      stream: true,
      system: [{ type: 'text', text: 'Be good.' }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
      tools: [
        expect.objectContaining({ name: 'current_time', input_schema: expect.objectContaining({ type: 'object' }) }),
        expect.objectContaining({ name: 'schedule' }),
      ],
    });
  });

  test('thoughts between texts and calls keep their places, to which their signatures are bound (R131)', async () => {
    const blocks = [
      { thought: 'First.' },
      { text: 'One 😀. ' },
      { thought: '' },
      { text: 'Two.' },
      { redacted: 'x' },
      call('c1'),
      { thought: 'Third.' },
      call('c2'),
    ];
    const first = await ask([{ blocks }]);
    const second = await ask([{ blocks: [{ thought: 'Fourth.' }, { text: '\n\n' }, call('c3')] }], {
      items: [hi, ...itemsOf(first)],
    });
    await ask([{ blocks: [{ text: 'Done.' }] }], { items: [hi, ...itemsOf(first), ...itemsOf(second)] });
    expect(server.requests).toHaveLength(1);
    const told = ({ type, text, thinking, id }: Record<string, string>) => text ?? thinking ?? id ?? type;
    expect(body().messages[1].content.map(told)).toEqual([
      'First.',
      'One 😀. ',
      '',
      'Two.',
      'redacted_thinking',
      'c1',
      'Third.',
      'c2',
    ]);
    expect(body().messages[3].content.map(told)).toEqual(['Fourth.', 'c3']);
  });

  test('a reply that a provider’s own tool pauses goes on: the request is repeated with what came, and all of it is counted', async () => {
    const result = { type: 'web_search_tool_result' as const, tool_use_id: 'srv_1', content: [] };
    const usage = { input_tokens: 10, cache_read_input_tokens: 90, output_tokens: 5 };
    const replies = [
      { blocks: [{ thought: 'Search.' }, { text: 'I search. ' }, search, result], stopReason: 'pause_turn', usage },
      { blocks: [{ text: 'It is noon.' }, call('c1')], usage },
    ];
    const got = await ask(replies, { tools: searching });
    expect([got.text, got.pieces.join('')]).toEqual(Array(2).fill('I search. It is noon.'));
    expect(got.toolCalls).toMatchObject([{ id: 'c1', name: 'current_time' }]);
    expect(got.usage).toMatchObject({ inputTokens: 200, cachedInputTokens: 180, outputTokens: 10, modelCalls: 1 });
    expect(body(1).messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Search.', signature: expect.any(String) },
          { type: 'text', text: 'I search. ' },
          search,
          result,
        ],
      },
    ]);
  });

  test('a reply that is paused again and again is cut off', async () => {
    const paused = { blocks: [search], stopReason: 'pause_turn' };
    expect(await ask(Array(20).fill(paused), { tools: searching })).toMatchObject({ cutOff: 'pause_turn' });
    expect(server.requests).toHaveLength(9);
  });

  test('a window that is full cuts a reply off; a thought without its signature is dropped', async () => {
    const thought = `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } })}\n\n`;
    const end = `event: message_delta\ndata: ${JSON.stringify({ type: 'message_delta', delta: { stop_reason: 'model_context_window_exceeded' } })}\n\n`;
    const got = await ask([{ malformed: thought + end }]);
    expect(got).toMatchObject({ text: '', toolCalls: [], cutOff: 'model_context_window_exceeded' });
    expect(got.opaque).toBeUndefined();
  });

  test.each<[string, AnthropicReply, string, RegExp]>([
    [
      'a refusal',
      { blocks: [{ text: 'I' }], stopReason: 'refusal', category: 'bio' },
      'ModelRejected',
      /content \(category bio\)/,
    ],
    [
      'no credit',
      { error: { type: 'invalid_request_error', status: 400, message: 'Your credit balance is too low.' } },
      ...(['ModelThrottled', /no credit/] as const),
    ],
    ['a timeout, in the stream', { error: { type: 'timeout_error', message: 'x' } }, 'ModelUnavailable', /504/],
    ['another object', { malformed: '{"hello":"world"}' }, 'ModelUnreadable', /no reply/],
  ])('%s is an error with a name that the state machine knows', async (_what, reply, error, message) => {
    await expect(ask([reply])).rejects.toMatchObject({ name: error, message: expect.stringMatching(message) });
  });

  test('an error of the size says how large a request may be (R198)', async () => {
    const message = 'prompt is too long: 210000 tokens > 200000 maximum';
    await expect(ask([{ error: { type: 'invalid_request_error', status: 400, message } }])).rejects.toMatchObject({
      tooLong: { most: 200_000, needed: 210_000 },
    });
  });

  test('a server that ignores `stream` sends its whole reply (R189)', async () => {
    const content = [
      { type: 'thinking', thinking: 'x', signature: 's' },
      { type: 'text', text: 'Hi.' },
      { type: 'tool_use', ...call('c') },
    ];
    const whole = { type: 'message', content, stop_reason: 'tool_use', usage: { input_tokens: 3, output_tokens: 2 } };
    expect(await ask([{ malformed: JSON.stringify(whole) }])).toMatchObject({
      text: 'Hi.',
      toolCalls: [{ id: 'c', arguments: '{}' }],
      usage: { inputTokens: 3, outputTokens: 2 },
    });
  });

  describe('what a model takes for an effort', () => {
    const adaptive = { type: 'adaptive' };
    test.each<[string, ModelChoice['effort'], object]>([
      ['claude-sonnet-5-5', 'max', { thinking: adaptive, output_config: { effort: 'max' } }],
      ['claude-sonnet-5-5', 'minimal', { thinking: adaptive, output_config: { effort: 'low' } }],
      ['claude-sonnet-5-5', 'none', { thinking: { type: 'between_tools' } }],
      ['claude-opus-5', 'none', { thinking: { type: 'disabled' } }],
      ['claude-opus-4-6', 'high', { thinking: adaptive, output_config: { effort: 'high' } }],
      ['claude-haiku-4-5', 'low', { thinking: { type: 'enabled', budget_tokens: 2_048 } }],
      ['claude-haiku-4-5', 'none', { thinking: { type: 'disabled' } }],
    ])('%s, %s', async (model, effort, expected) => {
      await ask([{ blocks: [{ text: 'Hi.' }] }], { model: { name: model, effort } });
      expect({ thinking: body().thinking, output_config: body().output_config }).toEqual({
        output_config: undefined,
        ...expected,
      });
    });

    test('a budget fits into the limit; without thoughts before its calls, an older model does not think', async () => {
      const model = { name: 'claude-haiku-4-5', effort: 'high' as const };
      await ask([{ blocks: [{ text: 'Hi.' }] }], { model: { ...model, maxOutputTokens: 4_000 } });
      expect(body().thinking).toEqual({ type: 'enabled', budget_tokens: 3_999 });
      await ask([{ blocks: [{ text: 'Hi.' }] }], { model: { ...model, maxOutputTokens: 1_000 } });
      expect(body().thinking).toBeUndefined();
      const items: Item[] = [
        hi,
        { kind: 'call', id: 'c', tool: 't', arguments: '{}' },
        { kind: 'result', callId: 'c', text: 'x' },
      ];
      await ask([{ blocks: [{ text: 'Hi.' }] }], { model, items });
      expect(body().thinking).toBeUndefined();
    });

    test('a model that cannot do without says so', async () => {
      await expect(ask([], { model: { name: 'claude-opus-5-5', effort: 'none' } })).rejects.toMatchObject({
        message: expect.stringMatching(/thinking\.type\.disabled.* is not supported/),
      });
    });
  });

  describe('the prompt cache', () => {
    const long = 'All the rules of the house. '.repeat(200);
    const step = (id: string): Item[] => [
      { kind: 'call', id, tool: 'current_time', arguments: '{}' },
      { kind: 'result', callId: id, text: `Noon ${id}` },
    ];
    const note: Item = { kind: 'message', by: 'user', text: 'A note that changes.' };
    const marksIn = (value: unknown): string[] => {
      const found: string[] = [];
      JSON.stringify(value, (_, one) => {
        if (one?.cache_control) found.push(one.name ?? one.tool_use_id ?? one.text?.slice(0, 9));
        return one;
      });
      return found;
    };
    const marks = async (asking: Asking) => {
      await ask([{ blocks: [{ text: 'Hi.' }] }], asking);
      return [body().tools, body().system, body().messages].flatMap(marksIn);
    };
    const minutes = { key: 'c', lasts: 'minutes' as const };

    test('is written after the instructions and the last two complete steps, before what may change', async () => {
      const items = [hi, ...step('c1'), ...step('c2'), ...step('c3'), note];
      expect(await marks({ items, instructions: long, cache: minutes })).toEqual(['All the r', 'c2', 'c3']);
      expect(body().system[0].cache_control).toEqual({ type: 'ephemeral' });
      const said: Item = { kind: 'message', by: 'assistant', text: 'Welcome, you.' };
      expect(await marks({ items: [hi, said, hi], instructions: long, cache: minutes })).toEqual([
        'All the r',
        'Welcome, ',
      ]);
      const parallel = [...step('c1'), ...step('c2')].toSorted((a, b) => a.kind.localeCompare(b.kind));
      expect(await marks({ items: [hi, ...parallel], instructions: long, cache: minutes })).toEqual([
        'All the r',
        'c2',
      ]);
    });

    test('is written after the tools, too, if these are long enough, at four places at most', async () => {
      const items = [hi, ...step('c1'), ...step('c2'), ...step('c3')];
      const tool = { ...currentTime, description: long };
      server.script([{ blocks: [{ text: 'Hi.' }] }]);
      const agent = defineAgent({ ...spec, instructions: long, tools: [schedule, tool], model: { provider, name } });
      const signal = new AbortController().signal;
      await anthropicModel(key, { baseURL: server.url }).reply({
        agent,
        items,
        cache: minutes,
        signal,
        onText: () => undefined,
      });
      expect([body().tools, body().system, body().messages].flatMap(marksIn)).toEqual([
        'current_time',
        'All the r',
        'c2',
        'c3',
      ]);
    });

    test('is not written below the model’s least, nor if nothing follows soon, nor unasked', async () => {
      const items = [hi, ...step('c1')];
      expect(await marks({ items, cache: minutes })).toEqual([]);
      expect(await marks({ items, instructions: long, cache: { key: 'c', lasts: 'none' } })).toEqual([]);
      expect(await marks({ items, instructions: long })).toEqual([]);
    });

    test('for an hour, it costs twice the input', async () => {
      const cost = async (lasts: 'minutes' | 'hour') => {
        const cache_creation = { ephemeral_1h_input_tokens: lasts === 'hour' ? 1_000 : 0 };
        const usage = { input_tokens: 0, cache_creation_input_tokens: 1_000, output_tokens: 5, cache_creation };
        return (await ask([{ blocks: [{ text: 'Hi.' }], usage }], { instructions: long, cache: { key: 'c', lasts } }))
          .usage.costMicrodollars;
      };
      expect([await cost('minutes'), await cost('hour')]).toEqual([2_550, 4_050]);
      expect(body().system[0].cache_control).toEqual({ type: 'ephemeral', ttl: '1h' });
    });
  });
});
